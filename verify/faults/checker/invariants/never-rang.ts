/** A call that ends as unanswered must have rung. If the trunk never reported ringing, the call must end as a carrier failure. */
import type { Dial } from '../dials';
import { isoOf } from '../instant';
import { outageBetween } from '../outages';
import type { Run } from '../run';

/** Time until the end must be reported. */
const REPORTED_WITHIN_MS = 5_000;

export function neverRang(run: Run): string[] {
  return run.dials.flatMap((dial) => {
    const { row, rang, reference, placedMs, line } = dial;
    if (row?.end_reason !== 'no_answer' || rang || !isTellable(run, dial)) return [];
    return `call ${reference}, placed at ${isoOf(placedMs)} (simulator.jsonl:${line}), ended as no_answer, but its phone never rang`;
  });
}

/**
 * Returns true if the log distinguishes a timeout after ringing from one without. This requires that nothing involved in the call was
 * unreachable.
 */
export function isTellable({ outages }: Run, { placedMs, endedMs }: Dial): boolean {
  return endedMs !== null && outageBetween(outages, placedMs, endedMs + REPORTED_WITHIN_MS) === undefined;
}
