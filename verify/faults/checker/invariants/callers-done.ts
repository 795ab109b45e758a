/**
 * Checks that every inbound call ends. A call that was never answered must free its line, and must be `cancelled` if the caller hung up.
 */
import { isSameNumber } from '../dials';
import { outageBetween } from '../outages';
import type { CallRow } from '../rows';
import type { Caller, Run } from '../run';

/** Time after the end of a call until its row must show it. */
const WRITTEN_WITHIN_MS = 15_000;

export function callersDone(run: Run): string[] {
  return run.rows.calls
    .filter(({ direction }) => direction === 'Incoming')
    .flatMap((row) => {
      const caller = run.callers.find(({ from }) => isSameNumber(from, row.from_number ?? ''));
      const fault = caller === undefined ? null : faultOf(run, row, caller);
      return fault === null ? [] : `inbound call ${row.call_id} ${fault}`;
    });
}

function faultOf(
  run: Run,
  row: CallRow,
  { rangMs, answered, endedMs, endReason, line }: Caller,
): string | null {
  if (row.stage !== 'over') return `is still ${row.call_status} at the end of the run`;
  if (answered) return null;
  const inLog = `(simulator.jsonl:${line})`;
  if (row.call_cost > 0) return `costs ${row.call_cost}, but was never answered ${inLog}`;
  const gaveUp = endReason === 'no_answer' && endedMs !== null;
  if (!gaveUp || outageBetween(run.outages, rangMs, endedMs + WRITTEN_WITHIN_MS) !== undefined) return null;
  // All lines were in use.
  if (row.call_status === 'cancelled' || row.call_status === 'busy') return null;
  return `ended as ${row.call_status}, but the caller hung up ${inLog}`;
}
