import { CALL_STATUSES } from '../../../sdk/typescript/generated';
import { choiceOf, dayOrNothing, pageOf, textOf } from '../format/search-params';

export interface CallFilters {
  status?: (typeof CALL_STATUSES)[number] | undefined;
  agent?: string | undefined;
  campaign?: string | undefined;
  /** First and last day, both inclusive. */
  from?: string | undefined;
  to?: string | undefined;
  /** Words to find in the transcript. */
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

/** Search parameters of a call's page: the words to highlight. */
export const callSearch = (search: Record<string, unknown>): { said?: string | undefined } => ({
  said: textOf(search.said),
});
