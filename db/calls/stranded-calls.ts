/** Calls whose phone nobody can hang up (`domain/stranded-call.ts`): they stay open, with their line, until it is free. */
import { maxTalkSeconds } from '../../domain/agent-config';
import { effectiveConfig } from '../../domain/effective-config';
import { believedTime } from '../../domain/event-time';
import { lineKeptUntil, type StrandedBy } from '../../domain/stranded-call';
import type { Db } from '../kernel/connection';
import { rows, timestamp } from '../kernel/query';
import { knownTimes, type OnReplacedTime } from './event-times';
import { roomCall } from './room-calls';

export interface Stranding {
  by: StrandedBy;
  /** When its phone was lost; absent where nobody knows: when anything was last reported of the call. */
  since?: number;
  now: number;
  ringTimeoutMs: number;
  onReplacedTime?: OnReplacedTime;
}

/** Returns until when its line is kept. Returns null if that was known before, or the call is not at the carrier. */
export function strandCall(
  db: Db,
  callId: string,
  { by, since: lostAt, now, ringTimeoutMs, onReplacedTime }: Stranding,
): Promise<number | null> {
  return db.transaction(async (trx) => {
    const call = await roomCall(trx, callId, { lock: true });
    if (call?.stage !== 'placed' || call.strandedAt !== null) return null;
    const reported = lostAt ?? call.reportedAt?.getTime() ?? now;
    const from = (await knownTimes(trx, [callId])).get(callId)?.from ?? now;
    const { at, isReplaced } = believedTime(reported, { from, now });
    const since = Math.min(now, at);
    if (isReplaced) onReplacedTime?.({ callId, type: 'lost' });
    const maxTalkMs = maxTalkSeconds(effectiveConfig(call.config, call.modifyAgent)) * 1000;
    const keptUntil = lineKeptUntil(
      { ...call, strandedBy: by },
      { since, now },
      { ringTimeoutMs, maxTalkMs },
    );
    await rows(
      trx,
      `update calls set stranded_at = :since, stranded_by = :by, line_kept_until = :keptUntil, reported_at = :now
       where call_id = :callId`,
      { callId, by, since: timestamp(since), keptUntil: timestamp(keptUntil), now: timestamp(now) },
    );
    return keptUntil;
  });
}

/**
 * Its bridge had marked it as answered, which nobody reported: somebody listens to silence. Returns until when its line is kept now; null where
 * the answer was known.
 */
export function answerStranded(
  db: Db,
  callId: string,
  { now, ringTimeoutMs }: { now: number; ringTimeoutMs: number },
): Promise<number | null> {
  return db.transaction(async (trx) => {
    const call = await roomCall(trx, callId, { lock: true });
    if (call?.stage !== 'placed' || call.strandedAt === null || call.answeredAt !== null) return null;
    const [answeredAt, since] = [call.strandedAt, call.strandedAt.getTime()];
    const maxTalkMs = maxTalkSeconds(effectiveConfig(call.config, call.modifyAgent)) * 1000;
    const keptUntil = lineKeptUntil({ ...call, answeredAt }, { since, now }, { ringTimeoutMs, maxTalkMs });
    await rows(
      trx,
      `update calls set answered_at = :answeredAt, answered_by = 'unknown', call_status = 'in progress', line_kept_until = :keptUntil
       where call_id = :callId`,
      { callId, answeredAt: timestamp(since), keptUntil: timestamp(keptUntil) },
    );
    return keptUntil;
  });
}

/** It was not lost: it is with its agent. */
export async function regainCall(db: Db, callId: string, now: number): Promise<void> {
  await rows(
    db,
    `update calls set stranded_at = null, stranded_by = null, line_kept_until = null, reported_at = :now
     where call_id = :callId and stage = 'placed'`,
    { callId, now: timestamp(now) },
  );
}

export interface OpenStrandedCall {
  callId: string;
  keptUntil: Date;
}

const PAGE = 200;

/** Lost before the instant: each may be back. A page; those whose line is to be released come first. */
export function strandedCalls(db: Db, before: number): Promise<OpenStrandedCall[]> {
  return rows<OpenStrandedCall>(
    db,
    `select call_id as "callId", line_kept_until as "keptUntil" from calls
     where line_kept_until is not null and stage = 'placed' and reported_at <= :before order by line_kept_until limit ${PAGE}`,
    { before: timestamp(before) },
  );
}
