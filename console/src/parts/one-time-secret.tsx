import { useEffect, useId, useRef, useState } from 'react';

interface OneTimeSecretProps {
  title: string;
  label: string;
  secret: string;
  children?: string;
  onDone: () => void;
}

/** Shows a secret that the API returns only once. The secret is selected so that the user can copy it right away. */
export function OneTimeSecret({ title, label, secret, children, onDone }: OneTimeSecretProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => input.current?.select(), [secret]);

  async function copy(): Promise<void> {
    input.current?.select();
    // Over plain HTTP, `navigator.clipboard` exists only on localhost. The user can still copy the selected text.
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
      <span className="small">You won’t be able to see it again. {children}</span>
    </div>
  );
}
