/** Leaves out of a plan whatever the violation does not need: halves of its happenings, then each by itself, contacts, campaigns. */
import type { SimulationPlan } from './plan/plan';

/** Whether a run of the plan still shows what is looked for. */
export type StillFails = (plan: SimulationPlan) => Promise<boolean>;

const MOST_TRIES = 400;

export async function shrink(plan: SimulationPlan, stillFails: StillFails): Promise<SimulationPlan> {
  let tries = 0;
  const attempt = async (smaller: SimulationPlan): Promise<boolean> =>
    (tries += 1) <= MOST_TRIES && stillFails(smaller);
  let best = plan;
  for (;;) {
    const before = sizeOf(best);
    best = await withFewer(best, 'happenings', attempt);
    best = await withFewerCampaigns(best, attempt);
    best = await withFewerContacts(best, attempt);
    if (best.workers === 2) {
      const alone = { ...best, workers: 1 as const };
      if (await attempt(alone)) best = alone;
    }
    if (sizeOf(best) === before || tries > MOST_TRIES) return best;
  }
}

export const sizeOf = (plan: SimulationPlan): number =>
  plan.happenings.length +
  plan.workers +
  plan.campaigns.reduce((sum, { endings }) => sum + 1 + endings.length, 0);

async function withFewer(
  plan: SimulationPlan,
  part: 'happenings',
  attempt: StillFails,
): Promise<SimulationPlan> {
  let best = plan;
  for (let size = Math.ceil(best[part].length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < best[part].length;) {
      const smaller = { ...best, [part]: [...best[part].slice(0, from), ...best[part].slice(from + size)] };
      if (await attempt(smaller)) best = smaller;
      else from += size;
    }
  }
  return best;
}

/** A campaign keeps its place, which happenings name; one without contacts is none. */
async function withFewerCampaigns(plan: SimulationPlan, attempt: StillFails): Promise<SimulationPlan> {
  let best = plan;
  for (let index = best.campaigns.length - 1; index >= 0; index -= 1) {
    const isNamed = best.happenings.some(
      (happening) => 'campaign' in happening && happening.campaign >= index,
    );
    if (isNamed) continue;
    const smaller = { ...best, campaigns: best.campaigns.filter((_campaign, at) => at !== index) };
    if (await attempt(smaller)) best = smaller;
  }
  return best;
}

async function withFewerContacts(plan: SimulationPlan, attempt: StillFails): Promise<SimulationPlan> {
  let best = plan;
  for (const [index] of plan.campaigns.entries()) {
    for (let contact = (best.campaigns[index]?.endings.length ?? 0) - 1; contact >= 0; contact -= 1) {
      const campaigns = best.campaigns.map((campaign, at) =>
        at === index
          ? { ...campaign, endings: campaign.endings.filter((_ending, each) => each !== contact) }
          : campaign,
      );
      if (campaigns[index]?.endings.length === 0) continue;
      const smaller = { ...best, campaigns };
      if (await attempt(smaller)) best = smaller;
    }
  }
  return best;
}
