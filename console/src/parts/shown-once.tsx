import { useEffect, useId, useRef, useState } from 'react';

interface ShownOnceProps {
  title: string;
  label: string;
  secret: string;
  children?: string;
  onDone: () => void;
}

/** A secret that is shown only once. It has the focus, so that the next key press copies it. */
export function ShownOnce({ title, label, secret, children, onDone }: ShownOnceProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => input.current?.select(), [secret]);

  async function copy(): Promise<void> {
    input.current?.select();
    // The clipboard is missing over plain HTTP from another machine. The text is selected instead.
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
          I’ve saved it
        </button>
      </div>
      <span className="small">You won’t see it again. {children}</span>
    </div>
  );
}
