import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, apiWithProgress } from '../api/client';

const LISTS = 'contact-lists';
const PAGE_SIZE = 25;

export const useContactLists = (page: number) =>
  useQuery({
    queryKey: [LISTS, 'all', page],
    queryFn: ({ signal }) => api.get('/api/contact-lists', { query: { page, page_size: PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
  });

/** Fetches the newest lists to choose from. */
export const useListChoices = () =>
  useQuery({
    queryKey: [LISTS, 'choices'],
    queryFn: async ({ signal }) =>
      (await api.get('/api/contact-lists', { query: { page_size: 200 }, signal })).data,
  });

export const useContactList = (listId: string) =>
  useQuery({
    queryKey: [LISTS, 'one', listId, 'detail'],
    queryFn: ({ signal }) => api.get('/api/contact-lists/{list_id}', { path: { list_id: listId }, signal }),
  });

/** `search` isn't in the page's URL, because it can be personal data and browsers store URLs. */
export const useListContacts = (listId: string, page: number, search: string) =>
  useQuery({
    queryKey: [LISTS, 'one', listId, 'contacts', { page, search }],
    queryFn: ({ signal }) =>
      api.get('/api/contact-lists/{list_id}/contacts', {
        path: { list_id: listId },
        query: { page, page_size: PAGE_SIZE, ...(search && { search }) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

export function useCreateList() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => api.post('/api/contact-lists', { body: { name } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [LISTS] }),
  });
}

export function useDeleteList(listId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.delete('/api/contact-lists/{list_id}', { path: { list_id: listId } }),
    onSuccess: () => {
      queries.removeQueries({ queryKey: [LISTS, 'one', listId] });
      return queries.invalidateQueries({ queryKey: [LISTS] });
    },
  });
}

export interface Upload {
  file: File;
  /** Called with the share that is sent, from 0 to 1. */
  onProgress: (share: number) => void;
}

export function useImport(listId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ file, onProgress }: Upload) =>
      apiWithProgress(onProgress).post('/api/contact-lists/{list_id}/contacts', {
        path: { list_id: listId },
        body: { csv_file: file },
      }),
    // Refetches even after a failure, because the rows before it are stored.
    onSettled: () => queries.invalidateQueries({ queryKey: [LISTS] }),
  });
}

export function useRemoveContact(listId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (contactId: string) =>
      api.delete('/api/contact-lists/{list_id}/contacts/{contact_id}', {
        path: { list_id: listId, contact_id: contactId },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [LISTS] }),
  });
}
