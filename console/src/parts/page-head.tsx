import { useEffect, type ReactNode } from 'react';
import { QueryResult, type QueryResultProps } from './states';

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

interface QueriedPageProps<T> extends QueryResultProps<T> {
  /** Heading while the object loads. The object's own name replaces it. */
  title: string;
  back: ReactNode;
}

/** Shows a heading and the back link while a page's object loads, and if loading fails. */
export function QueriedPage<T>({ title, back, ...answer }: QueriedPageProps<T>) {
  return (
    <>
      {answer.query.data === undefined && <PageHead title={title} back={back} />}
      <QueryResult {...answer} />
    </>
  );
}
