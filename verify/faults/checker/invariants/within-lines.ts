/**
 * 2. Live calls never exceed the campaign's concurrency or the organization's maximum.
 *
 * A call is live from its placement to its end in the carrier's log. The check uses the order of lines, so it doesn't depend on any clock.
 * If the concurrency drops below the number of live calls, these calls may finish, but the next placement needs a free line.
 */
import type { Dial } from '../dials';
import { isoOf } from '../instant';
import type { Run } from '../run';

export function withinLines(run: Run): string[] {
  return [...beyondConcurrency(run), ...beyondOrganizationMaximum(run)];
}

function beyondConcurrency(run: Run): string[] {
  return run.evidence.campaigns.flatMap((campaign) => {
    const terms = run.terms(campaign);
    const limit = (dial: Dial): number =>
      Math.max(...terms.possible(dial.placedMs).map(({ concurrency }) => concurrency));
    const own = run.dials.filter(({ campaignId }) => campaignId === campaign.id);
    return overruns(own, limit, `concurrency of campaign ${campaign.id}`);
  });
}

function beyondOrganizationMaximum(run: Run): string[] {
  return run.evidence.organizations.flatMap((organization) => {
    const own = run.dials.filter(({ organizationId }) => organizationId === organization.id);
    return overruns(own, () => organization.max_concurrency, `maximum of organization ${organization.id}`);
  });
}

function overruns(dials: readonly Dial[], limitAt: (dial: Dial) => number, whose: string): string[] {
  const live = new Set<Dial>();
  return dials.flatMap((dial) => {
    for (const other of live) if (other.endedOrder < dial.placedOrder) live.delete(other);
    live.add(dial);
    const limit = limitAt(dial);
    if (live.size <= limit) return [];
    return `call ${dial.reference} was placed at ${isoOf(dial.placedMs)} (simulator.jsonl:${dial.line}) as live call ${live.size}, but the ${whose} is ${limit}`;
  });
}
