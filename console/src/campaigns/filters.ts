import { CAMPAIGN_STATUSES, CONTACT_STATES } from '../../../sdk/typescript/generated';
import { choiceOf, pageOf } from '../format/search-params';

export interface CampaignFilters {
  status?: (typeof CAMPAIGN_STATUSES)[number] | undefined;
  page?: number | undefined;
}

export interface ContactFilters {
  state?: (typeof CONTACT_STATES)[number] | undefined;
  page?: number | undefined;
}

export const campaignFilters = (search: Record<string, unknown>): CampaignFilters => ({
  status: choiceOf(search.status, CAMPAIGN_STATUSES),
  page: pageOf(search.page),
});

export const contactFilters = (search: Record<string, unknown>): ContactFilters => ({
  state: choiceOf(search.state, CONTACT_STATES),
  page: pageOf(search.page),
});
