import { useEffect, type ReactNode } from 'react';

interface PageHeadProps {
  title: string;
  back?: ReactNode;
  beside?: ReactNode;
  children?: ReactNode;
}

/** Page heading. Also sets the title of the browser tab. */
export function PageHead({ title, back, beside, children }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · Console`;
  }, [title]);
  return (
    <header className="head">
      {back !== undefined && <div className="back">{back}</div>}
      <h1>{title}</h1>
      {beside}
      {children !== undefined && <div className="actions">{children}</div>}
    </header>
  );
}
