import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../sdk/typescript/errors';
import type { ConsoleSession, ConsoleSignIn } from '../../../sdk/typescript/generated';
import { api, keepCsrfToken } from '../api/client';

const SESSION = ['session'];

/** Returns null if the user isn't signed in. */
async function readSession(): Promise<ConsoleSession | null> {
  try {
    return withTokenKept(await api.get('/api/console/session'));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

function withTokenKept(session: ConsoleSession): ConsoleSession {
  keepCsrfToken(session.csrf_token);
  return session;
}

/** Set `enabled` to false during a sign-in, because the sign-in sets the session itself. */
export const useSession = (enabled = true) =>
  useQuery({ queryKey: SESSION, queryFn: readSession, staleTime: Infinity, enabled });

export function useSignIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: ConsoleSignIn) =>
      withTokenKept(await api.post('/api/console/session', { body })),
    onSuccess: (session) => queries.setQueryData(SESSION, session),
  });
}

/** Ends the session and clears all cached data. */
export function useSignOut() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.delete('/api/console/session'),
    onSuccess: () => {
      keepCsrfToken(null);
      queries.setQueryData(SESSION, null);
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
    },
  });
}

type Scope = ConsoleSession['scopes'][number];

const NO_SCOPES: readonly Scope[] = [];

/** Scopes of the session's key. */
export const useScopes = (): readonly Scope[] => useSession().data?.scopes ?? NO_SCOPES;

/** Returns true if the session's key has the scope. Pages hide actions that the API would reject. */
export const useMay = (scope: Scope): boolean => useScopes().includes(scope);
