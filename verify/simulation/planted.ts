/**
 * Faults planted in the engine, which the simulation must find: those of the fault tests, what the workflows do about signals taken out,
 * and changes of how a call is begun that no other test of `npm test` notices.
 */
import { PLANTED_FAULTS } from '../faults/planted';
import type { CampaignPlan, Happening, SimulationPlan } from './plan/plan';

export interface PlantedSimulationFault {
  name: string;
  /** The number of an invariant that its violation must name. */
  invariant: number;
  sql: readonly string[];
  /** In the bundle of the workflows: found exactly once, and replaced. */
  workflow: { from: string; to: string } | null;
  /** What a run must have for the fault to show within some seeds; nothing where any run will do. */
  needs?: (plan: SimulationPlan) => SimulationPlan;
}

const DISPATCH_EVERY_MS = 1_500;
const DISPATCHES = 24;

/**
 * A task has to run out of its time while the first step of a call is under way, and the line has to be granted meanwhile: people dispatch
 * more calls than there are lines, and messages are often slow.
 */
const slowDispatches = (plan: SimulationPlan): SimulationPlan => ({
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

/** The first steps of a dispatched call meet a database that is away. */
const cutDispatches = (plan: SimulationPlan): SimulationPlan => {
  const dispatched = slowDispatches(plan);
  const cuts = Array.from({ length: 12 }, (_none, index): Happening => ({
    kind: 'link',
    atMs: (index + 1) * CUT_EVERY_MS,
    from: 'worker',
    to: 'postgres',
    how: 'refused',
    count: 3,
    forMs: CUT_EVERY_MS,
  }));
  return { ...dispatched, pace: plan.pace, happenings: [...dispatched.happenings, ...cuts] };
};

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
const silentNeighbour = (plan: SimulationPlan): SimulationPlan => ({
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

const inWorkflows = (name: string, invariant: number, from: string, to: string): PlantedSimulationFault => ({
  name,
  invariant,
  sql: [],
  workflow: { from, to },
});

const STUCK_CALL: PlantedSimulationFault = {
  ...inWorkflows(
    'a call that was granted a line before it has asked for one does not ask (the stuck call of 0.1.0)',
    10,
    'if (campaignId === undefined) {',
    'if (campaignId === undefined && call.received.grants === 0) {',
  ),
  needs: slowDispatches,
};

/** Whatever waits for a machine that is not ours must leave the slots of workflow tasks to others: what 0.1.0 taught. */
const WAITING_IN_A_TASK: PlantedSimulationFault = {
  ...inWorkflows(
    "attempts at webhooks hold slots for workflow tasks, so that one client's silent receiver keeps all others waiting",
    9,
    "const deliveries = (0, workflow_1.proxyActivities)({\n    startToCloseTimeout: '10s'",
    "const deliveries = (0, workflow_1.proxyLocalActivities)({\n    startToCloseTimeout: '10s'",
  ),
  needs: silentNeighbour,
};

const ONCE = 'retry: { ...UNTIL_POSTGRES_ANSWERS, maximumAttempts: 1 }';
const ASKED_ONCE = `({ ...transaction, ${ONCE} })`;

/** Histories replay with each of them, and the other tests of the workflows have no database that is away. */
export const MISSED_BY_OTHER_TESTS: readonly PlantedSimulationFault[] = [
  inWorkflows(
    'a call ends with its campaign, before its webhook is accepted',
    6,
    'parentClosePolicy: workflow_1.ParentClosePolicy.ABANDON',
    'parentClosePolicy: workflow_1.ParentClosePolicy.TERMINATE',
  ),
  inWorkflows(
    'a campaign asks a database that is away once',
    10,
    'exports.campaignRows = (0, workflow_1.proxyLocalActivities)(transaction)',
    `exports.campaignRows = (0, workflow_1.proxyLocalActivities)${ASKED_ONCE}`,
  ),
  {
    ...inWorkflows(
      'a call asks for its line once',
      10,
      'exports.lines = (0, workflow_1.proxyLocalActivities)(transaction)',
      `exports.lines = (0, workflow_1.proxyLocalActivities)${ASKED_ONCE}`,
    ),
    needs: cutDispatches,
  },
  {
    ...inWorkflows(
      'a dial that could not be made is not made again',
      10,
      `startToCloseTimeout: '20s',\n    retry: UNTIL_POSTGRES_ANSWERS`,
      `startToCloseTimeout: '20s',\n    ${ONCE}`,
    ),
    needs: cutDispatches,
  },
  inWorkflows(
    'the end of a call is asked for once',
    10,
    `startToCloseTimeout: '30s',\n    retry: UNTIL_POSTGRES_ANSWERS`,
    `startToCloseTimeout: '30s',\n    ${ONCE}`,
  ),
];

export const PLANTED: readonly PlantedSimulationFault[] = [
  ...PLANTED_FAULTS.map(({ name, invariant, sql }) => ({ name, invariant, sql, workflow: null })),
  STUCK_CALL,
  WAITING_IN_A_TASK,
  ...MISSED_BY_OTHER_TESTS,
];

/** The plan of a seed, with what the fault needs. */
export const planFor = (
  { needs }: Pick<PlantedSimulationFault, 'needs'>,
  drawn: SimulationPlan,
): SimulationPlan => needs?.(drawn) ?? drawn;

/** @throws Error for a fault that an engine of later outgrew */
export function changedBundle(code: string, { from, to }: { from: string; to: string }): string {
  const parts = code.split(from);
  if (parts.length !== 2)
    throw new Error(`the fault cannot be planted: "${from}" is ${parts.length - 1} times in the bundle`);
  return parts.join(to);
}
