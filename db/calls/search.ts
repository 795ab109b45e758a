/** Searches calls by the words of their transcripts. */
import { MOST_COUNTED } from '../../domain/most-counted';
import type { Db } from '../kernel/connection';
import { within, type Page } from '../kernel/list-page';
import { onlyRow } from '../kernel/query';
import type { CallFilter } from './filter';

export interface FoundCalls {
  /** At most 10,000. */
  total: number;
  /** Ids on the page, newest first. */
  callIds: string[];
}

/** Finds concluded calls by whole words, in any case and order. Open statuses match no call. */
export async function searchCalls(
  db: Db,
  filter: CallFilter & { search: string },
  page: Page,
): Promise<FoundCalls> {
  const found = await onlyRow<FoundCalls>(
    db,
    `select (found).total, (found).call_ids as "callIds"
     from (select search_calls(:organizationId, :agentId, :campaignId, :status, :search, :callId, :from, :to, :limit, :offset) as found) one`,
    {
      organizationId: filter.organizationId,
      agentId: filter.agentId ?? null,
      campaignId: filter.campaignId ?? null,
      status: filter.status ?? null,
      search: filter.search,
      callId: filter.callId ?? null,
      from: filter.from ?? null,
      to: filter.to ?? null,
      limit: page.limit,
      offset: Math.min(page.offset, MOST_COUNTED),
    },
  );
  within(page, found.total);
  return found;
}
