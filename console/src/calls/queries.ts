import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../api/client';
import { dayAfter } from '../format/day-after';
import type { CallFilters } from './filters';

export const PAGE_SIZE = 25;

export const useCalls = (filters: CallFilters) =>
  useQuery({
    queryKey: ['calls', filters],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/call-history', { params: { query: queryOf(filters) }, signal })),
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
      const params = { query: { call_id: callId } };
      const { data } = await answerOf(api.GET('/api/call-history', { params, signal }));
      const [call] = data;
      if (call === undefined) throw new Error('this call does not exist');
      return call;
    },
  });

export const useCallDetails = (callId: string) =>
  useQuery({
    queryKey: ['call', callId, 'details'],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/call_details/{call_id}', { params: { path: { call_id: callId } }, signal })),
  });

export const openListeningSession = (callId: string) =>
  answerOf(api.POST('/api/calls/{call_id}/listen', { params: { path: { call_id: callId } } }));

export function useHangUp(callId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      answerOf(api.POST('/api/calls/{call_id}/hangup', { params: { path: { call_id: callId } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['call', callId] }),
  });
}
