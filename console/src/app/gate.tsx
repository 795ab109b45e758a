import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState, type SyntheticEvent } from 'react';
import { Loading, ProblemOf, Problem } from '../parts/states';
import { Field } from '../parts/field';
import { sentenceOf } from '../parts/problem-text';
import { router } from './router';
import { useSession, useSignIn } from './session';

/** Without a session, shows the sign-in page at every URL. The URL stays, so the requested page appears after the sign-in. */
export function Gate({ signInToken }: { signInToken: string | null }) {
  const [token, setToken] = useState(signInToken);
  const session = useSession(token === null);
  const { mutate, error } = useSignIn();

  useEffect(() => {
    if (token !== null) mutate({ sign_in_token: token }, { onSettled: () => setToken(null) });
  }, [token, mutate]);

  if (session.data) return <RouterProvider router={router} />;
  if (session.data === null) return <SignIn linkError={error} />;
  return (
    <main>
      <h1 className="only-heard">Console</h1>
      {session.isError ? <ProblemOf query={session} /> : <Loading of="the console" />}
    </main>
  );
}

/** `linkError` is the error from a one-time sign-in link. */
function SignIn({ linkError }: { linkError: unknown }) {
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
          help="Your key determines what you can see and do. The browser never stores the key, only a session that lasts twelve hours."
          fault={error === null ? undefined : sentenceOf(error)}
        >
          {(inputProps) => (
            <input
              {...inputProps}
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
