import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../sdk/typescript/errors';
import type { ConsoleSession, ConsoleSignIn } from '../../../sdk/typescript/generated';
import { answerOf, api, keepCsrfToken } from '../api/client';

const SESSION = ['session'];

/** Null without one. */
async function readSession(): Promise<ConsoleSession | null> {
  try {
    return kept(await answerOf(api.GET('/api/console/session')));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

function kept(session: ConsoleSession): ConsoleSession {
  keepCsrfToken(session.csrf_token);
  return session;
}

/** `isWanted` is false while a sign-in is under way, which sets the session itself. */
export const useSession = (isWanted: boolean) =>
  useQuery({ queryKey: SESSION, queryFn: readSession, staleTime: Infinity, enabled: isWanted });

export function useSignIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: ConsoleSignIn) =>
      kept(await answerOf(api.POST('/api/console/session', { body }))),
    onSuccess: (session) => queries.setQueryData(SESSION, session),
  });
}

/** What was read for this person is dropped with the session. */
export function useSignOut() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.DELETE('/api/console/session'),
    onSuccess: () => {
      keepCsrfToken(null);
      queries.setQueryData(SESSION, null);
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
    },
  });
}
