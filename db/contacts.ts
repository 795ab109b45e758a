import type { Db } from './connection';
import { onlyRow, rows } from './query';

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
  state: string;
  reason: string | null;
  nextAttemptAt: Date | null;
  /** Only those of which the carrier was asked: a call that is still waiting for a line is no attempt yet. */
  attempts: ContactAttempt[];
}

export interface ContactFilter {
  campaignId: string;
  state?: string;
}

const matches = (filter: ContactFilter): string =>
  `where campaign_id = :campaignId${filter.state === undefined ? '' : ' and state = :state'}`;

/** In the order of the file. Attempts are read for the page only. */
export function listContacts(
  db: Db,
  filter: ContactFilter,
  page: { limit: number; offset: number },
): Promise<Contact[]> {
  return rows<Contact>(
    db,
    `with page as (
       select id from contacts ${matches(filter)} order by row_number limit :limit offset :offset
     )
     select c.row_number as "row", c.name, c.phone_number as "phoneNumber", c.variables, c.state, c.reason,
       c.next_attempt_at as "nextAttemptAt", made.attempts
     from page join contacts c on c.id = page.id
     cross join lateral (
       select coalesce(jsonb_agg(jsonb_build_object('attempt', k.attempt, 'callId', k.call_id, 'callStatus', k.call_status,
                                                    'startedAt', k.asked_at, 'endedAt', k.ended_at) order by k.attempt), '[]'::jsonb) as attempts
       from calls k where k.contact_id = c.id and k.asked_at is not null
     ) made
     order by c.row_number`,
    { ...filter, ...page },
  );
}

export async function countContacts(db: Db, filter: ContactFilter): Promise<number> {
  const { total } = await onlyRow<{ total: number }>(
    db,
    `select count(*) as total from contacts ${matches(filter)}`,
    { ...filter },
  );
  return total;
}
