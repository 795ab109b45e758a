import { useMutation, useQuery, useQueryClient, keepPreviousData } from '@tanstack/react-query';
import type { CampaignDetail, CampaignEdit } from '../../../sdk/typescript/generated';
import { api } from '../api/client';
import type { CampaignFilters, ContactFilters } from './filters';

export const PAGE_SIZE = 25;

export const useCampaigns = ({ status, page = 1 }: CampaignFilters) =>
  useQuery({
    queryKey: ['campaigns', { status, page }],
    queryFn: ({ signal }) =>
      api.get('/api/campaigns/', {
        query: { page, page_size: PAGE_SIZE, ...(status && { status }) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** Lists the shipped rule profiles and those of the organization. */
export const useRuleProfiles = () =>
  useQuery({
    queryKey: ['rule-profiles'],
    queryFn: ({ signal }) => api.get('/api/rule-profiles', { signal }),
    staleTime: 60_000,
  });

export const useCampaign = (campaignId: string) =>
  useQuery({
    queryKey: ['campaign', campaignId, 'detail'],
    queryFn: ({ signal }) =>
      api.get('/api/campaigns/{campaign_id}', { path: { campaign_id: campaignId }, signal }),
  });

/** `search` isn't in the page's URL, because it can be personal data and browsers store URLs. */
export const useContacts = (campaignId: string, { state, page = 1 }: ContactFilters, search: string) =>
  useQuery({
    queryKey: ['campaign', campaignId, 'contacts', { state, page, search }],
    queryFn: ({ signal }) =>
      api.get('/api/campaigns/{campaign_id}/contacts', {
        path: { campaign_id: campaignId },
        query: { page, page_size: PAGE_SIZE, ...(state && { state }), ...(search && { search }) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** Searches the contacts of all campaigns. Disabled while the search text is empty. */
export const useFoundContacts = (search: string, page: number) =>
  useQuery({
    queryKey: ['campaigns', 'contacts', { search, page }],
    queryFn: ({ signal }) =>
      api.get('/api/contacts', { query: { page, page_size: PAGE_SIZE, search }, signal }),
    placeholderData: keepPreviousData,
    enabled: search !== '',
  });

/**
 * Forecasts the calls to the remaining contacts. Refetches after each change of the campaign, and each time another percent of the contacts
 * is finished.
 */
export function useForecast({ id, campaign_status: status, updated_at: changedAt, stats }: CampaignDetail) {
  const ended = stats.completed + stats.failed;
  const share = Math.floor((ended / Math.max(1, stats.total_calls)) * 100);
  return useQuery({
    queryKey: ['forecast', id, { status, changedAt, share }],
    queryFn: ({ signal }) =>
      api.get('/api/campaigns/{campaign_id}/forecast', { path: { campaign_id: id }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

/** Edits a campaign. The edit pauses the campaign, and `resumes` resumes it afterwards. */
export function useEdit(campaignId: string) {
  const queries = useQueryClient();
  const path = { campaign_id: campaignId };
  return useMutation({
    mutationFn: async ({ changes, resumes }: { changes: CampaignEdit; resumes: boolean }) => {
      await api.put('/api/campaigns/{campaign_id}', { path, body: changes });
      if (resumes) await api.post('/api/campaigns/{campaign_id}/resume', { path });
    },
    // Refetches even if only the resume failed.
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['campaign', campaignId] }),
        queries.invalidateQueries({ queryKey: ['campaigns'] }),
      ]),
  });
}

export type Verb = 'pause' | 'resume' | 'cancel';

export function useSwitch(campaignId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (verb: Verb) => {
      const path = { campaign_id: campaignId };
      switch (verb) {
        case 'pause':
          return api.post('/api/campaigns/{campaign_id}/pause', { path });
        case 'resume':
          return api.post('/api/campaigns/{campaign_id}/resume', { path });
        case 'cancel':
          return api.post('/api/campaigns/{campaign_id}/cancel', { path });
      }
    },
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['campaign', campaignId] }),
        queries.invalidateQueries({ queryKey: ['campaigns'] }),
      ]),
  });
}

export const useLimits = () =>
  useQuery({
    queryKey: ['limits'],
    queryFn: ({ signal }) => api.get('/api/limits', { signal }),
  });
