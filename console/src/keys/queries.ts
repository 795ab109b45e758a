import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { NewApiKey } from '../../../sdk/typescript/generated';
import { answerOf, api } from '../api/client';

/** Drops a response with a secret when its page closes. */
const FORGOTTEN = { gcTime: 0 };

export const useKeys = (page: number) =>
  useQuery({
    queryKey: ['keys', page],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/keys', { params: { query: { page, page_size: 25 } }, signal })),
    placeholderData: keepPreviousData,
  });

/** Keys for a select. An organization has at most a hundred valid keys, and the newest come first. */
export const useKeyNames = () =>
  useQuery({
    queryKey: ['keys', 'names'],
    queryFn: async ({ signal }) =>
      (await answerOf(api.GET('/api/keys', { params: { query: { page_size: 200 } }, signal }))).data,
    staleTime: 60_000,
  });

export function useCreateKey() {
  const queries = useQueryClient();
  return useMutation({
    ...FORGOTTEN,
    mutationFn: (body: NewApiKey) => answerOf(api.POST('/api/keys', { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  });
}

export function useRevokeKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (keyId: string) =>
      answerOf(api.POST('/api/keys/{key_id}/revoke', { params: { path: { key_id: keyId } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  });
}

export const useEndSessions = () =>
  useMutation({
    mutationFn: (keyId: string) =>
      answerOf(api.POST('/api/keys/{key_id}/sessions/end', { params: { path: { key_id: keyId } } })),
  });

export const useSecrets = () =>
  useQuery({
    queryKey: ['webhook-secrets'],
    queryFn: ({ signal }) => answerOf(api.GET('/api/webhook-secrets', { signal })),
  });

export function useRotateSecret() {
  const queries = useQueryClient();
  return useMutation({
    ...FORGOTTEN,
    mutationFn: (overlapHours: number) =>
      answerOf(api.POST('/api/webhook-secrets/rotate', { body: { overlap_hours: overlapHours } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['webhook-secrets'] }),
  });
}
