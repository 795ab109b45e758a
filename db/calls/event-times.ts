/** Known times of calls, to check the times that events report (`domain/event-time.ts`). */
import type { Db } from '../kernel/connection';
import { prepared, rows } from '../kernel/query';

export interface KnownTimes {
  /** No event of the call can be earlier. */
  from: number;
  answeredAt: number | null;
  endedAt: number | null;
}

/** Called for an event whose time was replaced by our own. */
export type OnReplacedTime = (event: { callId: string; type: string }) => void;

const KNOWN_TIMES = prepared(
  'known_times',
  `select call_id as "callId", answered_at as "answeredAt", ended_at as "endedAt",
     case when direction = 'Incoming' then least(accepted_at, ringing_at) else coalesce(asked_at, accepted_at) end as since
   from calls where call_id = any(:callIds)`,
);

/** Leaves out unknown and archived calls. An inbound call can ring before it is accepted. */
export async function knownTimes(db: Db, callIds: readonly string[]): Promise<Map<string, KnownTimes>> {
  if (callIds.length === 0) return new Map();
  const found = await rows<{ callId: string; since: Date; answeredAt: Date | null; endedAt: Date | null }>(
    db,
    KNOWN_TIMES,
    { callIds: [...callIds] },
  );
  return new Map(
    found.map(({ callId, since, answeredAt, endedAt }) => [
      callId,
      { from: since.getTime(), answeredAt: msOf(answeredAt), endedAt: msOf(endedAt) },
    ]),
  );
}

const msOf = (instant: Date | null): number | null => instant?.getTime() ?? null;
