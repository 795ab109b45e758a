import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Loading, ProblemOf } from '../parts/states';
import { router } from './router';
import { useSession, useSignIn } from './session';
import { SignIn } from './sign-in';

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
