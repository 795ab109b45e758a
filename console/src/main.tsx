import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { ApiError } from '../../sdk/typescript/errors';
import { whenSignedOut } from './api/client';
import { Gate } from './app/gate';
import { Notices } from './parts/notices';
import './style/base.css';
import './style/layout.css';
import './style/parts.css';
import './style/pages.css';

const SIGN_IN_LINK = /^#sign-in=(.+)$/;

/** By default, requests wait while the browser is offline: pages would load forever, and actions would run unnoticed later. */
const ASKED_AT_ONCE = { networkMode: 'always' } as const;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      ...ASKED_AT_ONCE,
      refetchOnReconnect: true,
      staleTime: 5_000,
      // Retries only network and server errors, because a rejected request would be rejected again.
      retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500),
    },
    mutations: ASKED_AT_ONCE,
  },
});
whenSignedOut(() => queries.setQueryData(['session'], null));

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
createRoot(root).render(
  <QueryClientProvider client={queries}>
    <Notices>
      <Gate signInToken={takeSignInToken(window)} />
    </Notices>
  </QueryClientProvider>,
);

/** Returns the token of a one-time link and removes it from the URL, so that neither the history nor a copied URL contains it. */
function takeSignInToken({ location, history }: Pick<Window, 'location' | 'history'>): string | null {
  const token = SIGN_IN_LINK.exec(location.hash)?.[1];
  if (token === undefined) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return decodeURIComponent(token);
}
