/** Adapts plans so that a planted fault shows within a few seeds. */
import type { CampaignPlan, Happening, SimulationPlan } from './plan';

const DISPATCH_EVERY_MS = 1_500;
const DISPATCHES = 24;

/**
 * Makes a workflow task time out during the first step of a call while the line is granted. To achieve this, the run has more dispatches
 * than lines, and slow messages.
 */
export const slowDispatches = (plan: SimulationPlan): SimulationPlan => ({
  ...plan,
  organizations: [1, 1],
  pace: { usual: [1, 100], slowShare: 0.15, slow: [200, 3_500] },
  happenings: [
    ...plan.happenings,
    ...Array.from({ length: DISPATCHES }, (_none, index): Happening => ({
      kind: 'dispatch',
      atMs: (index + 1) * DISPATCH_EVERY_MS,
      organization: index % 2,
      ending: 80,
    })),
  ],
});

const CUT_EVERY_MS = 3_000;

/** Returns repeated cuts between the worker and Postgres. */
const cuts = (): Happening[] =>
  Array.from({ length: 12 }, (_none, index) => ({
    kind: 'link',
    atMs: (index + 1) * CUT_EVERY_MS,
    from: 'worker',
    to: 'postgres',
    how: 'refused',
    count: 3,
    forMs: CUT_EVERY_MS,
  }));

/** Makes the database unreachable during the first steps of a dispatched call. */
export const cutDispatches = (plan: SimulationPlan): SimulationPlan => {
  const dispatched = slowDispatches(plan);
  return { ...dispatched, pace: plan.pace, happenings: [...dispatched.happenings, ...cuts()] };
};

/** Makes the carrier place a call and lose its reply, and cuts the link while the worker queries the call's status. */
export const cutLookUps = (plan: SimulationPlan): SimulationPlan => {
  const dispatched = slowDispatches(plan);
  const lost = Array.from({ length: 12 }, (_none, index) =>
    (['lost', 'refused'] as const).map((how): Happening => ({
      kind: 'link',
      atMs: (index + 1) * CUT_EVERY_MS,
      from: 'worker',
      to: 'carrier',
      how,
      count: 1,
      forMs: CUT_EVERY_MS,
    })),
  );
  return { ...dispatched, pace: plan.pace, happenings: [...dispatched.happenings, ...lost.flat()] };
};

/** Makes receivers reject every webhook, and makes the database unreachable during delivery attempts. */
export const cutDeliveries = (plan: SimulationPlan): SimulationPlan => ({
  ...plan,
  campaigns: plan.campaigns.map((campaign) => ({ ...campaign, webhook: '/dead', callWebhook: '/dead' })),
  happenings: [...plan.happenings, ...cuts()],
});

const campaignOf = (organization: number, concurrency: number): CampaignPlan => ({
  organization,
  concurrency,
  maxRetries: 1,
  retryDelayMins: 0,
  endings: Array.from({ length: 6 * concurrency }, () => 1),
  createdAtMs: 0,
  webhook: null,
  callWebhook: '/ok',
  window: 'open',
});

/**
 * Makes only one organization's receiver fail, while that organization has many calls. At the same time, another organization has a
 * campaign and dispatches.
 */
export const silentNeighbour = (plan: SimulationPlan): SimulationPlan => ({
  ...plan,
  workers: 1,
  organizations: [8, 3],
  pace: { usual: [0.3, 3], slowShare: 0, slow: [3, 3] },
  campaigns: [campaignOf(0, 8), campaignOf(1, 2)],
  happenings: [
    { kind: 'receiver', atMs: 0, organization: 0, how: 'hangs', forMs: 60_000 },
    ...Array.from({ length: DISPATCHES }, (_none, index): Happening => ({
      kind: 'dispatch',
      atMs: (index + 1) * DISPATCH_EVERY_MS,
      organization: 1,
      ending: 1,
    })),
  ],
});
