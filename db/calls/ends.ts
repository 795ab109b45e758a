/** Ends calls. The transaction is in `db/functions/end_calls.sql`. */
import type { CallEnd } from '../../domain/call-end';
import { Batches } from '../kernel/batches';
import type { Db } from '../kernel/connection';
import { onlyRow, prepared, timestamp } from '../kernel/query';
import type { LineDecision } from './engine';
import {
  type EventOfCall,
  type OnReplacedTime,
  type ProgressEvent,
  storableEvent,
  storableTime,
} from './events';

interface ReportedEnd {
  callId: string;
  end: CallEnd;
  now: number;
  /** Events that precede the end and were not applied yet. */
  events: readonly ProgressEvent[];
  onReplacedTime: OnReplacedTime | undefined;
}

interface EndedCalls {
  ended: string[];
  granted: string[];
  refill: string[];
  replaced: EventOfCall[];
}

/** Two, so that Postgres runs one batch while the next is sent. */
const AT_ONCE = 2;
const LARGEST_BATCH = 50;

const batchesOf = new WeakMap<Db, Batches<ReportedEnd, LineDecision | null>>();

/** Ends a call and grants its line to another call. Returns null without changes if the call was already over. */
export function endCall(
  db: Db,
  callId: string,
  end: CallEnd,
  now: number,
  { events = [], onReplacedTime }: Partial<Pick<ReportedEnd, 'events' | 'onReplacedTime'>> = {},
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
  return batches.add({ callId, end, now, events, onReplacedTime });
}

const END_CALLS = prepared('end_calls', 'select end_calls(:ends) as decision');

async function endCalls(db: Db, ends: readonly ReportedEnd[]): Promise<(LineDecision | null)[]> {
  const reported = ends.map(({ callId, end, now, events }) => ({
    callId,
    now: timestamp(now),
    end: storableEnd(end),
    events: events.map(storableEvent),
  }));
  const { decision } = await onlyRow<{ decision: EndedCalls }>(db, END_CALLS, {
    ends: JSON.stringify(reported),
  });
  const listeners = new Map(ends.map(({ callId, onReplacedTime }) => [callId, onReplacedTime]));
  for (const event of decision.replaced) listeners.get(event.callId)?.(event);
  return sharedOut(
    ends.map(({ callId }) => callId),
    decision,
  );
}

const storableEnd = (end: CallEnd): CallEnd => ({
  ...end,
  dialingAt: storableTimeOrNull(end.dialingAt),
  ringingAt: storableTimeOrNull(end.ringingAt),
  answeredAt: storableTimeOrNull(end.answeredAt),
  endedAt: storableTime(end.endedAt),
});

const storableTimeOrNull = (at: string | null | undefined): string | null =>
  at == null ? null : storableTime(at);

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
