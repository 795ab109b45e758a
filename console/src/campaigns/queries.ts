import { useMutation, useQuery, useQueryClient, keepPreviousData } from '@tanstack/react-query';
import { answerOf, api } from '../api/client';
import type { CampaignFilters, ContactFilters } from './filters';

export const PAGE_SIZE = 25;

export const useCampaigns = ({ status, page = 1 }: CampaignFilters) =>
  useQuery({
    queryKey: ['campaigns', { status, page }],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/api/campaigns/', {
          params: { query: { page, page_size: PAGE_SIZE, ...(status && { status }) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

export const useCampaign = (campaignId: string) =>
  useQuery({
    queryKey: ['campaign', campaignId, 'detail'],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/api/campaigns/{campaign_id}', { params: { path: { campaign_id: campaignId } }, signal }),
      ),
  });

export const useContacts = (campaignId: string, { state, page = 1 }: ContactFilters) =>
  useQuery({
    queryKey: ['campaign', campaignId, 'contacts', { state, page }],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/api/campaigns/{campaign_id}/contacts', {
          params: {
            path: { campaign_id: campaignId },
            query: { page, page_size: PAGE_SIZE, ...(state && { state }) },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

export type Verb = 'pause' | 'resume' | 'cancel';

export function useSwitch(campaignId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (verb: Verb) => {
      const params = { params: { path: { campaign_id: campaignId } } };
      switch (verb) {
        case 'pause':
          return answerOf(api.POST('/api/campaigns/{campaign_id}/pause', params));
        case 'resume':
          return answerOf(api.POST('/api/campaigns/{campaign_id}/resume', params));
        case 'cancel':
          return answerOf(api.POST('/api/campaigns/{campaign_id}/cancel', params));
      }
    },
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['campaign', campaignId] }),
        queries.invalidateQueries({ queryKey: ['campaigns'] }),
      ]),
  });
}
