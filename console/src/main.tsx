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

/** Sends requests even if the browser is offline. By default, they would wait: pages would load forever, and actions would run later, unnoticed. */
const EVEN_OFFLINE = { networkMode: 'always' } as const;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      ...EVEN_OFFLINE,
      refetchOnReconnect: true,
      staleTime: 5_000,
      // Retries only network and server errors, because a rejected request would be rejected again.
      retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500),
    },
    mutations: EVEN_OFFLINE,
  },
});
whenSignedOut(() => queries.setQueryData(['session'], null));

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no element with the id root');
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
