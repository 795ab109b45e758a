import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client';
import { dayAfter } from '../format/time';
import type { CallFilters } from './filters';

export const PAGE_SIZE = 25;

export const useCalls = (filters: CallFilters) =>
  useQuery({
    queryKey: ['calls', filters],
    queryFn: ({ signal }) => api.get('/api/call-history', { query: queryOf(filters), signal }),
    placeholderData: keepPreviousData,
  });

function queryOf({ status, agent, campaign, from, to, search, page = 1 }: CallFilters) {
  return {
    page,
    page_size: PAGE_SIZE,
    ...(status && { status }),
    ...(agent && { agent_id: agent }),
    ...(campaign && { campaign_id: campaign }),
    ...(from && { from }),
    ...(to && { to: dayAfter(to) }),
    ...(search && { search }),
  };
}

/** Reads one call from the call history. */
export const useCall = (callId: string) =>
  useQuery({
    queryKey: ['call', callId, 'row'],
    queryFn: async ({ signal }) => {
      const { data } = await api.get('/api/call-history', { query: { call_id: callId }, signal });
      const [call] = data;
      if (call === undefined) throw new Error('this call doesn’t exist');
      return call;
    },
  });

export const useCallDetails = (callId: string) =>
  useQuery({
    queryKey: ['call', callId, 'details'],
    queryFn: ({ signal }) => api.get('/api/call_details/{call_id}', { path: { call_id: callId }, signal }),
  });

export const openListeningSession = (callId: string) =>
  api.post('/api/calls/{call_id}/listen', { path: { call_id: callId } });

export function useHangUp(callId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.post('/api/calls/{call_id}/hangup', { path: { call_id: callId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['call', callId] }),
  });
}
