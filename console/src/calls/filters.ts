import { CALL_STATUSES } from '../../../sdk/typescript/generated';
import { choiceOf, dayOrNothing, pageOf, textOf } from '../format/search-params';

export interface CallFilters {
  status?: (typeof CALL_STATUSES)[number] | undefined;
  /** Ids. */
  agent?: string | undefined;
  campaign?: string | undefined;
  /** Days, both included. */
  from?: string | undefined;
  to?: string | undefined;
  /** Words that were said. */
  search?: string | undefined;
  page?: number | undefined;
}

export const callFilters = (search: Record<string, unknown>): CallFilters => ({
  status: choiceOf(search.status, CALL_STATUSES),
  agent: textOf(search.agent),
  campaign: textOf(search.campaign),
  from: dayOrNothing(search.from),
  to: dayOrNothing(search.to),
  search: textOf(search.search),
  page: pageOf(search.page),
});

/** Of one call: words whose sentences are shown. */
export const callSearch = (search: Record<string, unknown>): { said?: string | undefined } => ({
  said: textOf(search.said),
});
