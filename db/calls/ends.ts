/** Ends calls. The transaction is in `db/functions/end_calls.sql`. */
import type { CallEnd } from '../../domain/call-end';
import { believedTimes } from '../../domain/event-time';
import { Batches } from '../kernel/batches';
import type { Db } from '../kernel/connection';
import { onlyRow, prepared, timestamp } from '../kernel/query';
import type { LineDecision } from './engine';
import { knownTimes, type OnReplacedTime } from './events';

interface ReportedEnd {
  callId: string;
  end: CallEnd;
  now: number;
  onReplacedTime: OnReplacedTime | undefined;
}

interface EndedCalls {
  ended: string[];
  granted: string[];
  refill: string[];
}

/** Two, so that Postgres runs one batch while the next is sent. */
const AT_ONCE = 2;
const LARGEST_BATCH = 50;

const batchesOf = new WeakMap<Db, Batches<ReportedEnd, LineDecision | null>>();

/**
 * Ends a call and grants its line to another call. Returns null without changes if the call was already over. Pass `onReplacedTime` for
 * times that other systems report: impossible times are then replaced by `now`.
 */
export function endCall(
  db: Db,
  callId: string,
  end: CallEnd,
  now: number,
  onReplacedTime?: OnReplacedTime,
): Promise<LineDecision | null> {
  let batches = batchesOf.get(db);
  if (batches === undefined) {
    batches = new Batches((ends) => endCalls(db, ends), {
      atOnce: AT_ONCE,
      items: LARGEST_BATCH,
      senderOf: ({ callId }) => callId,
    });
    batchesOf.set(db, batches);
  }
  return batches.add({ callId, end, now, onReplacedTime });
}

const END_CALLS = prepared('end_calls', 'select end_calls(:ends) as decision');

async function endCalls(db: Db, ends: readonly ReportedEnd[]): Promise<(LineDecision | null)[]> {
  const callIds = ends.map(({ callId }) => callId);
  const reported = ends.filter(({ onReplacedTime }) => onReplacedTime !== undefined);
  const known = await knownTimes(
    db,
    reported.map(({ callId }) => callId),
  );
  const believed = ends.map(({ callId, end, now, onReplacedTime }) => {
    const bounds = onReplacedTime === undefined ? undefined : known.get(callId);
    const { times, isReplaced } =
      bounds === undefined ? { times: end, isReplaced: false } : believedTimes(end, { ...bounds, now });
    return { callId, end: times, now: timestamp(now), isReplaced };
  });
  const { decision } = await onlyRow<{ decision: EndedCalls }>(db, END_CALLS, {
    ends: JSON.stringify(believed),
  });
  const ended = new Set(decision.ended);
  for (const [nth, { callId, onReplacedTime }] of ends.entries()) {
    if (believed[nth]?.isReplaced === true && ended.has(callId)) onReplacedTime?.({ callId, type: 'ended' });
  }
  return sharedOut(callIds, decision);
}

/** Divides the workflows to signal evenly among the reports that ended a call. */
function sharedOut(
  callIds: readonly string[],
  { ended, granted, refill }: EndedCalls,
): (LineDecision | null)[] {
  const left = new Set(ended);
  const share = Math.ceil(granted.length / ended.length);
  const refills = [...refill];
  let from = 0;
  return callIds.map((callId) => {
    // Only the first report of a call ends it.
    if (!left.delete(callId)) return null;
    from += share;
    return { granted: granted.slice(from - share, from), refillCampaignId: refills.pop() ?? null };
  });
}
