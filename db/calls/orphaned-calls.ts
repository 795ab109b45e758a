/**
 * Orphaned calls (`domain/orphaned-call.ts`). Their phone may still be connected but can't be hung up, so the call keeps its line until the
 * phone has certainly been released.
 */
import { maxTalkSeconds } from '../../domain/agent-config';
import { effectiveConfig } from '../../domain/effective-config';
import { lineKeptUntil, type OrphanedBy } from '../../domain/orphaned-call';
import type { Db } from '../kernel/connection';
import { rows, timestamp } from '../kernel/query';
import { believedTime, type OnReplacedTime } from './events';
import { roomCall } from './room-calls';

interface OrphanMark {
  by: OrphanedBy;
  /** When contact with the phone was lost. Default: the time of the last report on the call. */
  since?: number;
  now: number;
  ringTimeoutMs: number;
  onReplacedTime?: OnReplacedTime;
}

/**
 * Marks the call as orphaned and returns when its line will be released. Returns null if the call is already orphaned or isn't at the
 * carrier.
 */
export function markOrphaned(
  db: Db,
  callId: string,
  { by, since: lostAt, now, ringTimeoutMs, onReplacedTime }: OrphanMark,
): Promise<number | null> {
  return db.transaction(async (trx) => {
    const call = await roomCall(trx, callId, { lock: true });
    if (call?.stage !== 'placed' || call.orphanedAt !== null) return null;
    const reported = lostAt ?? call.reportedAt?.getTime() ?? now;
    const believed = await believedTime(trx, callId, { reportedAt: timestamp(reported), now });
    const since = Math.min(now, believed?.at ?? now);
    if (believed?.isReplaced === true) onReplacedTime?.({ callId, type: 'lost' });
    const maxTalkMs = maxTalkSeconds(effectiveConfig(call.config, call.modifyAgent)) * 1000;
    const keptUntil = lineKeptUntil(
      { ...call, orphanedBy: by },
      { since, now },
      { ringTimeoutMs, maxTalkMs },
    );
    await rows(
      trx,
      `update calls set orphaned_at = :since, orphaned_by = :by, line_kept_until = :keptUntil, reported_at = :now
       where call_id = :callId`,
      { callId, by, since: timestamp(since), keptUntil: timestamp(keptUntil), now: timestamp(now) },
    );
    return keptUntil;
  });
}

/**
 * Records that an orphaned call was answered, which only the bridge knew. The callee hears silence. Returns when the line will be released
 * now, or null if the answer was already recorded.
 */
export function answerOrphaned(
  db: Db,
  callId: string,
  { now, ringTimeoutMs }: { now: number; ringTimeoutMs: number },
): Promise<number | null> {
  return db.transaction(async (trx) => {
    const call = await roomCall(trx, callId, { lock: true });
    if (call?.stage !== 'placed' || call.orphanedAt === null || call.answeredAt !== null) return null;
    const [answeredAt, since] = [call.orphanedAt, call.orphanedAt.getTime()];
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

/** Clears the orphaned state of a call that turned out to be with its agent. */
export async function clearOrphaned(db: Db, callId: string, now: number): Promise<void> {
  await rows(
    db,
    `update calls set orphaned_at = null, orphaned_by = null, line_kept_until = null, reported_at = :now
     where call_id = :callId and stage = 'placed'`,
    { callId, now: timestamp(now) },
  );
}

export interface OpenOrphanedCall {
  callId: string;
  keptUntil: Date;
}

const PAGE = 200;

/** Returns a page of orphaned calls that were last checked before the instant, sorted by when their lines are released. */
export function orphanedCalls(db: Db, before: number): Promise<OpenOrphanedCall[]> {
  return rows<OpenOrphanedCall>(
    db,
    `select call_id as "callId", line_kept_until as "keptUntil" from calls
     where line_kept_until is not null and stage = 'placed' and reported_at <= :before order by line_kept_until limit ${PAGE}`,
    { before: timestamp(before) },
  );
}
