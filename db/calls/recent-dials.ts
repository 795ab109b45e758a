import type { EndReason } from '../../domain/call-outcome';
import type { Db } from '../kernel/connection';
import { rows, timestamp } from '../kernel/query';

export interface EndedDial {
  endReason: EndReason;
  endedAt: Date;
}

/** Returns up to `max` dialled phone calls of the organization that ended after `since`, newest first. */
export function recentDials(
  db: Db,
  organizationId: string,
  since: number,
  max: number,
): Promise<EndedDial[]> {
  return rows<EndedDial>(
    db,
    `select end_reason as "endReason", ended_at as "endedAt" from all_calls
     where organization_id = :organizationId and stage = 'over' and ended_at > :since
       and medium = 'telephony' and direction = 'Outbound' and requested_at is not null
     order by ended_at desc, call_id desc limit :max`,
    { organizationId, since: timestamp(since), max },
  );
}
