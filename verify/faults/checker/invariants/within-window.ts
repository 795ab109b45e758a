/** 3. No dial outside window, weekday and date range, in UTC and true time. The window includes its start and excludes its end. */
import { isoOf } from '../instant';
import type { Run } from '../run';
import { forbiddenBy } from '../terms';

export function withinWindow(run: Run): string[] {
  return run.dials.flatMap((dial) => {
    const campaign = run.campaign(dial.campaignId);
    if (campaign === undefined) return [];
    const reasons = run
      .terms(campaign)
      .possible(dial.placedMs)
      .map((terms) => forbiddenBy(terms, dial.placedMs));
    const [reason] = reasons;
    // At least one of the possible terms allows the dial.
    if (reason === undefined || reason === null || reasons.includes(null)) return [];
    return `call ${dial.reference} of campaign ${campaign.id} was placed at ${isoOf(dial.placedMs)} (simulator.jsonl:${dial.line}), and ${reason}`;
  });
}
