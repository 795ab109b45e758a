import { useEffect, useId, useRef, useState } from 'react';

interface ShownOnceProps {
  title: string;
  label: string;
  secret: string;
  children?: string;
  onDone: () => void;
}

/** A secret that nobody can read again. It has the focus, so that the next key press copies it. */
export function ShownOnce({ title, label, secret, children, onDone }: ShownOnceProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => input.current?.select(), [secret]);

  async function copy(): Promise<void> {
    input.current?.select();
    // Missing on a page that came by plain HTTP from another machine: the text is selected there.
    await navigator.clipboard?.writeText(secret);
    setCopied(navigator.clipboard !== undefined);
  }

  return (
    <div className="note wait shown-once">
      <strong>{title}</strong>
      <label htmlFor={id}>{label}</label>
      <div className="row-of">
        <input id={id} ref={input} className="mono" readOnly value={secret} autoComplete="off" />
        <button type="button" className="button" onClick={() => void copy()}>
          {isCopied ? 'Copied' : 'Copy'}
        </button>
        <button type="button" className="button" onClick={onDone}>
          I have kept it
        </button>
      </div>
      <span className="small">It is not shown again. {children}</span>
    </div>
  );
}
