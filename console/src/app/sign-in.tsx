import { useState, type SyntheticEvent } from 'react';
import { Field } from '../parts/field';
import { sentenceOf } from '../parts/problem-text';
import { Problem } from '../parts/states';
import { useSignIn } from './session';

/** `linkError` is the error of a failed one-time link. */
export function SignIn({ linkError }: { linkError: unknown }) {
  const [key, setKey] = useState('');
  const { mutate, error, isPending } = useSignIn();

  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    mutate({ api_key: key.trim() });
  }

  return (
    <main className="sign-in">
      <form className="card" onSubmit={submit}>
        <div className="brand">
          <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" />
          <h1>Sign in</h1>
        </div>
        {linkError !== null && error === null && <Problem error={linkError} />}
        <Field
          label="API key"
          help="The key decides what you can see and do. The browser stores a session of twelve hours, but never the key."
          fault={error === null ? undefined : sentenceOf(error)}
        >
          {(ties) => (
            <input
              {...ties}
              type="password"
              autoComplete="current-password"
              required
              autoFocus
              value={key}
              onChange={(event) => setKey(event.target.value)}
            />
          )}
        </Field>
        <button type="submit" className="button primary" disabled={isPending}>
          {isPending ? 'Signing in…' : 'Sign in'}
        </button>
      </form>
    </main>
  );
}
