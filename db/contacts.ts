import type { Db } from './connection';
import { listed, sortedFor, type Listed, type Page } from './list-page';
import { onlyRow, rows } from './query';

export type ContactState =
  | 'pending'
  | 'in_progress'
  | 'completed'
  | 'failed'
  | 'duplicate'
  | 'dnd'
  | 'invalid'
  | 'cancelled'
  | 'expired';

export interface ContactAttempt {
  attempt: number;
  callId: string;
  callStatus: string;
  startedAt: string;
  endedAt: string | null;
}

export interface Contact {
  row: number;
  name: string;
  phoneNumber: string;
  variables: Record<string, unknown>;
  state: ContactState;
  reason: string | null;
  nextAttemptAt: Date | null;
  /** Only those of which the carrier was asked: a call that is still waiting for a line is no attempt yet. */
  attempts: ContactAttempt[];
}

export interface ContactFilter {
  campaignId: string;
  state?: string;
}

/** Without a state, as the campaign's own row keeps it: contacts are neither added to a campaign nor taken away. */
async function totalOf(db: Db, filter: ContactFilter): Promise<number> {
  const sql =
    filter.state === undefined
      ? 'select coalesce(max(total_contacts), 0) as total from campaigns where id = :campaignId'
      : 'select count(*) as total from contacts where campaign_id = :campaignId and state = :state';
  const { total } = await onlyRow<{ total: number }>(db, sql, { ...filter });
  return total;
}

/** In the order of the file. Attempts are read for the page only. */
export function listContacts(db: Db, filter: ContactFilter, page: Page): Promise<Listed<Contact>> {
  const inState = filter.state === undefined ? '' : 'and state = :state';
  return listed(page, totalOf(db, filter), (walk) =>
    rows<Contact>(
      db,
      `with page as (
         select row_number from contacts where campaign_id = :campaignId ${inState} ${sortedFor(walk, 'asc', 'row_number')}
       )
       select c.row_number as "row", c.name, c.phone_number as "phoneNumber", c.variables, c.state, c.reason,
         c.next_attempt_at as "nextAttemptAt", made.attempts
       from page join contacts c on c.campaign_id = :campaignId and c.row_number = page.row_number
       cross join lateral (
         select coalesce(jsonb_agg(jsonb_build_object('attempt', k.attempt, 'callId', k.call_id, 'callStatus', k.call_status,
                                                      'startedAt', k.asked_at, 'endedAt', k.ended_at) order by k.attempt), '[]'::jsonb) as attempts
         from calls k where k.contact_id = c.id and k.asked_at is not null
       ) made
       order by c.row_number`,
      { ...filter, limit: walk.limit, offset: walk.offset },
    ),
  );
}
