import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { NewApiKey } from '../../../sdk/typescript/generated';
import { api } from '../api/client';

/** Removes the response from the cache when the page closes, because it contains a secret. */
const NOT_CACHED = { gcTime: 0 };

export const useKeys = (page: number) =>
  useQuery({
    queryKey: ['keys', page],
    queryFn: ({ signal }) => api.get('/api/keys', { query: { page, page_size: 25 }, signal }),
    placeholderData: keepPreviousData,
  });

/** Fetches the keys to choose from, newest first. One page is enough, because an organization has at most a hundred valid keys. */
export const useKeyNames = () =>
  useQuery({
    queryKey: ['keys', 'names'],
    queryFn: async ({ signal }) => (await api.get('/api/keys', { query: { page_size: 200 }, signal })).data,
    staleTime: 60_000,
  });

export function useCreateKey() {
  const queries = useQueryClient();
  return useMutation({
    ...NOT_CACHED,
    mutationFn: (body: NewApiKey) => api.post('/api/keys', { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  });
}

export function useRevokeKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (keyId: string) => api.post('/api/keys/{key_id}/revoke', { path: { key_id: keyId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  });
}

export const useEndSessions = () =>
  useMutation({
    mutationFn: (keyId: string) => api.post('/api/keys/{key_id}/sessions/end', { path: { key_id: keyId } }),
  });

export const useSecrets = () =>
  useQuery({
    queryKey: ['webhook-secrets'],
    queryFn: ({ signal }) => api.get('/api/webhook-secrets', { signal }),
  });

export function useRotateSecret() {
  const queries = useQueryClient();
  return useMutation({
    ...NOT_CACHED,
    mutationFn: (overlapHours: number) =>
      api.post('/api/webhook-secrets/rotate', { body: { overlap_hours: overlapHours } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['webhook-secrets'] }),
  });
}
