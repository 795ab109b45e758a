/** A call that nobody answered rang: where the trunk never said so, it is the carrier that failed. */
import type { Dial } from '../dials';
import { isoOf } from '../instant';
import { outageBetween } from '../outages';
import type { Run } from '../run';

/** For its end to be reported by whoever knows it best. */
const REPORTED_WITHIN_MS = 5_000;

export function neverRang(run: Run): string[] {
  return run.dials.flatMap((dial) => {
    const { row, rang, reference, placedMs, line } = dial;
    if (row?.end_reason !== 'no_answer' || rang || !isTellable(run, dial)) return [];
    return `call ${reference}, placed at ${isoOf(placedMs)} (simulator.jsonl:${line}), ended as no_answer, and its phone never rang`;
  });
}

/** Whether a time-out without ringing can be distinguished from one with it: nothing that has to do with the call was away meanwhile. */
export function isTellable({ outages }: Run, { placedMs, endedMs }: Dial): boolean {
  return endedMs !== null && outageBetween(outages, placedMs, endedMs + REPORTED_WITHIN_MS) === undefined;
}
