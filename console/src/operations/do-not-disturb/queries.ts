import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { NewDoNotDisturbNumber } from '../../../../sdk/typescript/generated';
import { api } from '../../api/client';

const LIST = 'do-not-disturb';

export const useListed = ({ number, page }: { number: string; page: number }) =>
  useQuery({
    queryKey: [LIST, { number, page }],
    queryFn: ({ signal }) => {
      const query = { page, page_size: 25, ...(number !== '' && { phone_number: number }) };
      return api.get('/api/do-not-disturb', { query, signal });
    },
    placeholderData: keepPreviousData,
  });

export function useAdd() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewDoNotDisturbNumber) => api.post('/api/do-not-disturb', { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [LIST] }),
  });
}

export function useRemove() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (number: string) =>
      api.post('/api/do-not-disturb/remove', { body: { phone_number: number } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [LIST] }),
  });
}
