/** 7. At least `retry_delay_mins` pass between the end of an attempt and the redial of its contact. */
import type { Dial } from '../dials';
import { isoOf } from '../instant';
import { dialsByContact, type Run } from '../run';

/** The log truncates times to milliseconds. */
const ROUNDING_MS = 2;

export function redialDelay(run: Run): string[] {
  return [...dialsByContact(run.dials).values()].flatMap((dials) =>
    dials.flatMap((dial, index) => {
      const before = dials[index - 1];
      // Duplicate dials violate the first invariant instead.
      if (before === undefined || before.reference === dial.reference) return [];
      return tooEarly(run, before, dial) ?? [];
    }),
  );
}

function tooEarly(run: Run, before: Dial, dial: Dial): string | null {
  const campaign = run.campaign(dial.campaignId);
  if (campaign === undefined) return null;
  const whose = `row ${dial.contactRow} of campaign ${campaign.id} was dialled at ${isoOf(dial.placedMs)} (call ${dial.reference}, simulator.jsonl:${dial.line})`;
  if (before.endedMs === null || before.endedOrder > dial.placedOrder) {
    return `${whose} while its call ${before.reference} was live`;
  }
  // The callee requested a callback at a different time.
  if (dial.isCallback) return null;
  const delaysMins = run
    .terms(campaign)
    .possible(before.endedMs, dial.placedMs)
    .map(({ retryDelayMins }) => retryDelayMins);
  const minMs = Math.min(...delaysMins) * 60_000;
  const waitedMs = dial.placedMs - before.endedMs;
  if (waitedMs >= minMs - ROUNDING_MS) return null;
  return `${whose} ${(waitedMs / 1000).toFixed(3)} s after its call ${before.reference} ended, but ${minMs / 1000} s must pass`;
}
