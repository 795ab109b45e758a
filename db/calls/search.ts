/** Calls by what was said in them. */
import { FINAL_STATUSES } from '../../workflows/domain/call-outcome';
import type { Db } from '../kernel/connection';
import type { Page } from '../kernel/list-page';
import { onlyRow } from '../kernel/query';
import type { CallFilter } from './filter';

export interface FoundCalls {
  /** At most 10,000. */
  total: number;
  /** Of the page, the newest first. */
  callIds: string[];
}

/** The words by which `write_words` marks whose a call is. A status that is none has no call. */
function marksOf({ clientId, agentId, campaignId, status }: CallFilter): string {
  const known = FINAL_STATUSES.find((each) => each === status);
  const marks = [
    ['client', clientId.replaceAll('-', '')],
    ['agent', agentId?.replaceAll('-', '')],
    ['campaign', campaignId?.replaceAll('-', '')],
    ['status', status && (known?.replaceAll(' ', '') ?? 'none')],
  ] as const;
  return marks.flatMap(([kind, value]) => (value === undefined ? [] : [kind + value])).join(' ');
}

/** Those that are concluded. Words are whole words, in any case and order. */
export function searchCalls(
  db: Db,
  filter: CallFilter & { search: string },
  { limit, offset }: Page,
): Promise<FoundCalls> {
  return onlyRow<FoundCalls>(
    db,
    `select (found).total, (found).call_ids as "callIds"
     from (select search_calls(:clientId, :marks, :search, :callId, :from, :to, :limit, :offset) as found) one`,
    {
      clientId: filter.clientId,
      marks: marksOf(filter),
      search: filter.search,
      callId: filter.callId ?? null,
      from: filter.from ?? null,
      to: filter.to ?? null,
      limit,
      offset: Math.min(offset, BEYOND),
    },
  );
}

/** Of any page that has something. */
const BEYOND = 1_000_000;
