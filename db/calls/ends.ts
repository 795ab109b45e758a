/** The ends of calls. The transaction is in `functions/end_calls.sql`. */
import type { CallEnd } from '../../workflows/domain/call-end';
import { Batches } from '../kernel/batches';
import type { Db } from '../kernel/connection';
import { onlyRow, prepared, timestamp } from '../kernel/query';
import type { LineDecision } from './engine';

interface ReportedEnd {
  callId: string;
  end: CallEnd;
  now: number;
}

interface EndedCalls {
  ended: string[];
  granted: string[];
  refill: string[];
}

/** Two, so that one is on its way while Postgres runs the other. */
const AT_ONCE = 2;
const LARGEST_BATCH = 50;

const batchesOf = new WeakMap<Db, Batches<ReportedEnd, LineDecision | null>>();

/**
 * Ends a call, releases its line and hands it over. Null when the call was over before: nothing was changed. Calls that end at the same
 * time end in one transaction.
 */
export function endCall(db: Db, callId: string, end: CallEnd, now: number): Promise<LineDecision | null> {
  let batches = batchesOf.get(db);
  if (batches === undefined) {
    batches = new Batches((ends) => endCalls(db, ends), {
      atOnce: AT_ONCE,
      items: LARGEST_BATCH,
      senderOf: ({ callId }) => callId,
    });
    batchesOf.set(db, batches);
  }
  return batches.add({ callId, end, now });
}

const END_CALLS = prepared('end_calls', 'select end_calls(:ends) as decision');

async function endCalls(db: Db, ends: readonly ReportedEnd[]): Promise<(LineDecision | null)[]> {
  const { decision } = await onlyRow<{ decision: EndedCalls }>(db, END_CALLS, {
    ends: JSON.stringify(ends.map(({ now, ...report }) => ({ ...report, now: timestamp(now) }))),
  });
  return sharedOut(
    ends.map(({ callId }) => callId),
    decision,
  );
}

/** Each that ended a call has about as many workflows to signal. */
function sharedOut(
  callIds: readonly string[],
  { ended, granted, refill }: EndedCalls,
): (LineDecision | null)[] {
  const left = new Set(ended);
  const share = Math.ceil(granted.length / ended.length);
  const refills = [...refill];
  let from = 0;
  return callIds.map((callId) => {
    // A call that was reported twice was ended by the first report.
    if (!left.delete(callId)) return null;
    from += share;
    return { granted: granted.slice(from - share, from), refillCampaignId: refills.pop() ?? null };
  });
}
