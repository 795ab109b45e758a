/** Conditions that make a fault show within a few seeds. */
import type { CampaignPlan, Happening, SimulationPlan } from './plan';

const DISPATCH_EVERY_MS = 1_500;
const DISPATCHES = 24;

/**
 * A workflow task must time out during the first step of a call while the line is granted. Therefore the run has more dispatches than
 * lines, and slow messages.
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

/** Repeated cuts between the worker and Postgres. */
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

/** The first steps of a dispatched call meet an unreachable database. */
export const cutDispatches = (plan: SimulationPlan): SimulationPlan => {
  const dispatched = slowDispatches(plan);
  return { ...dispatched, pace: plan.pace, happenings: [...dispatched.happenings, ...cuts()] };
};

/** The carrier places a call, loses its reply, and is unreachable when the worker looks the call up. */
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

/** Receivers accept no webhook, and delivery attempts meet an unreachable database. */
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
  endings: Array.from({ length: 2 * concurrency }, () => 1),
  createdAtMs: 0,
  webhook: null,
  callWebhook: '/ok',
  window: 'open',
});

/** Only the receiver of one organization fails, and it has many calls. Another organization has a campaign and dispatches meanwhile. */
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
