/** What a run must have for a fault to show within some seeds. */
import type { CampaignPlan, Happening, SimulationPlan } from './plan';

const DISPATCH_EVERY_MS = 1_500;
const DISPATCHES = 24;

/**
 * A task has to run out of its time while the first step of a call is under way, and the line has to be granted meanwhile: people dispatch
 * more calls than there are lines, and messages are often slow.
 */
export const slowDispatches = (plan: SimulationPlan): SimulationPlan => ({
  ...plan,
  organisations: [1, 1],
  pace: { usual: [1, 100], slowShare: 0.15, slow: [200, 3_500] },
  happenings: [
    ...plan.happenings,
    ...Array.from({ length: DISPATCHES }, (_none, index): Happening => ({
      kind: 'dispatch',
      atMs: (index + 1) * DISPATCH_EVERY_MS,
      organisation: index % 2,
      ending: 80,
    })),
  ],
});

const CUT_EVERY_MS = 3_000;

/** Between the worker and Postgres, again and again. */
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

/** The first steps of a dispatched call meet a database that is away. */
export const cutDispatches = (plan: SimulationPlan): SimulationPlan => {
  const dispatched = slowDispatches(plan);
  return { ...dispatched, pace: plan.pace, happenings: [...dispatched.happenings, ...cuts()] };
};

/** The carrier places a call whose reply is lost, and is away when the call is looked up. */
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

/** Nobody takes a webhook, and attempts at them meet a database that is away. */
export const cutDeliveries = (plan: SimulationPlan): SimulationPlan => ({
  ...plan,
  campaigns: plan.campaigns.map((campaign) => ({ ...campaign, webhook: '/dead', callWebhook: '/dead' })),
  happenings: [...plan.happenings, ...cuts()],
});

const campaignOf = (organisation: number, concurrency: number): CampaignPlan => ({
  organisation,
  concurrency,
  maxRetries: 1,
  retryDelayMins: 0,
  endings: Array.from({ length: 2 * concurrency }, () => 1),
  createdAtMs: 0,
  webhook: null,
  callWebhook: '/ok',
  window: 'open',
});

/** Nothing fails but the receiver of one client, who has many calls; another has a campaign and dispatches meanwhile. */
export const silentNeighbour = (plan: SimulationPlan): SimulationPlan => ({
  ...plan,
  workers: 1,
  organisations: [8, 3],
  pace: { usual: [0.3, 3], slowShare: 0, slow: [3, 3] },
  campaigns: [campaignOf(0, 8), campaignOf(1, 2)],
  happenings: [
    { kind: 'receiver', atMs: 0, organisation: 0, how: 'hangs', forMs: 60_000 },
    ...Array.from({ length: DISPATCHES }, (_none, index): Happening => ({
      kind: 'dispatch',
      atMs: (index + 1) * DISPATCH_EVERY_MS,
      organisation: 1,
      ending: 1,
    })),
  ],
});
