/**
 * Removes everything from a plan that the violation doesn't need: halves of its events, single events, contacts, campaigns. Then replaces
 * special values by ordinary ones.
 */
import type { CampaignPlan, SimulationPlan } from './plan/plan';

/** Returns true if a run of the plan still shows the violation. */
type StillFails = (plan: SimulationPlan) => Promise<boolean>;

const MAX_TRIES = 400;

export async function shrink(plan: SimulationPlan, stillFails: StillFails): Promise<SimulationPlan> {
  let tries = 0;
  const attempt = async (smaller: SimulationPlan): Promise<boolean> =>
    (tries += 1) <= MAX_TRIES && stillFails(smaller);
  let best = plan;
  for (;;) {
    const before = sizeOf(best);
    best = await withFewerHappenings(best, attempt);
    best = await withFewerCampaigns(best, attempt);
    best = await withFewerContacts(best, attempt);
    if (best.workers === 2) {
      const alone = { ...best, workers: 1 as const };
      if (await attempt(alone)) best = alone;
    }
    if (sizeOf(best) === before || tries > MAX_TRIES) return madePlain(best, attempt);
  }
}

export const sizeOf = (plan: SimulationPlan): number =>
  plan.happenings.length +
  plan.workers +
  plan.campaigns.reduce((sum, { endings }) => sum + 1 + endings.length, 0);

const PLAIN_CAMPAIGN: readonly Partial<CampaignPlan>[] = [
  { webhook: null },
  { callWebhook: null },
  { window: 'open' },
  { maxRetries: 1, retryDelayMins: 0 },
  { concurrency: 1 },
];
const PLAIN_RUN: readonly Partial<SimulationPlan>[] = [
  { pace: { usual: [1, 1], slowShare: 0, slow: [1, 1] } },
  { ringMs: 300, talkMs: 500 },
];
/** The carrier places the call, and the callee answers. */
const PLAIN_ENDING = 1;

async function madePlain(plan: SimulationPlan, attempt: StillFails): Promise<SimulationPlan> {
  let best = plan;
  const tryPlain = async (plainer: SimulationPlan): Promise<void> => {
    if (JSON.stringify(plainer) !== JSON.stringify(best) && (await attempt(plainer))) best = plainer;
  };
  for (const plain of PLAIN_RUN) await tryPlain({ ...best, ...plain });
  for (const [index, { endings }] of plan.campaigns.entries()) {
    for (const plain of PLAIN_CAMPAIGN) await tryPlain(withCampaign(best, index, plain));
    for (const place of endings.keys()) {
      const own = best.campaigns[index]?.endings ?? [];
      await tryPlain(withCampaign(best, index, { endings: own.with(place, PLAIN_ENDING) }));
    }
  }
  return best;
}

const withCampaign = (plan: SimulationPlan, index: number, plain: Partial<CampaignPlan>): SimulationPlan => ({
  ...plan,
  campaigns: plan.campaigns.map((campaign, at) => (at === index ? { ...campaign, ...plain } : campaign)),
});

async function withFewerHappenings(plan: SimulationPlan, attempt: StillFails): Promise<SimulationPlan> {
  let best = plan;
  for (let size = Math.ceil(best.happenings.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < best.happenings.length;) {
      const happenings = [...best.happenings.slice(0, from), ...best.happenings.slice(from + size)];
      const smaller = { ...best, happenings };
      if (await attempt(smaller)) best = smaller;
      else from += size;
    }
  }
  return best;
}

/** Campaigns keep their index because events refer to it. A campaign without contacts is treated as removed. */
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

const withoutContact = (campaign: CampaignPlan, contact: number): CampaignPlan => ({
  ...campaign,
  endings: campaign.endings.toSpliced(contact, 1),
  ...(campaign.rules && {
    rules: { ...campaign.rules, contacts: campaign.rules.contacts.toSpliced(contact, 1) },
  }),
});

async function withFewerContacts(plan: SimulationPlan, attempt: StillFails): Promise<SimulationPlan> {
  let best = plan;
  for (const [index] of plan.campaigns.entries()) {
    for (let contact = (best.campaigns[index]?.endings.length ?? 0) - 1; contact >= 0; contact -= 1) {
      const campaigns = best.campaigns.map((campaign, at) =>
        at === index ? withoutContact(campaign, contact) : campaign,
      );
      if (campaigns[index]?.endings.length === 0) continue;
      const smaller = { ...best, campaigns };
      if (await attempt(smaller)) best = smaller;
    }
  }
  return best;
}
