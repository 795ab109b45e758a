/** Draws plans for runs over LiveKit, with replicas, and with stalls. */
import { Random } from '../random';
import { type CallerPlan, type CampaignPlan, drawBurst } from './campaigns';
import {
  AGENTS,
  APIS,
  type Draw,
  drawCut,
  drawKill,
  drawLoss,
  type Fault,
  type LinkName,
  linksOf,
  oneAfterTheOther,
  type PlanSize,
  type ProcessName,
  type Replica,
  type Replicas,
  WORKERS,
} from './faults';
import { drawPlan, type Plan } from './plan';

const KILLED = ['worker', 'api', 'agent', 'simulator', 'livekit'] as const satisfies readonly ProcessName[];
/** By then, calls are live. */
const FIRST_MS = 8_000;
/** Time for a process to recover before the next kill. */
const APART_MS: [number, number] = [9_000, 12_000];
const SHUFFLED_MS = 8_000;

/**
 * For calls to these numbers, LiveKit reports the end in an event as well as in its response to the worker. The outcome of any other call is
 * lost if the worker dies.
 */
const ENDINGS = [0, 1, 2, 70, 71, 80, 85, 92, 93, 95, 97] as const;
const CONTACTS = 5;
/**
 * Numbers with the behaviour of a real phone network, each called once per run: no audio, no response, only 100, two kinds of 200 that
 * cross the CANCEL, and a bridge without free CPU.
 */
const FAR_ENDS = [60, 61, 62, 63, 64, 65] as const;
/** Most callers hang up before the call is answered. */
const CALLERS = [68, 68, 0, 70] as const;
const CALLED_MS: [number, number] = [3_000, 50_000];
/** How many of `FAR_ENDS` go to the campaign with two lines. Each holds a line for the whole ring timeout. */
const OF_TWO_LINES = 4;

/**
 * Plans a run over LiveKit that kills every process involved in a call, one after another. Clocks and links work normally here, because
 * runs over HTTP test them at a hundredth of the cost per call.
 */
export function drawLivekitPlan(seed: number): Plan {
  const random = new Random(Math.imul(seed, 0x85ebca6b));
  const farEnds = random.shuffled(FAR_ENDS);
  return {
    seed,
    telephony: 'livekit',
    ...{ apis: 1, workers: 1, agents: 1 },
    organizations: [
      // Its campaign leaves one line free for callers and the dispatch.
      { name: 'Tulsi Dental Care', maxConcurrency: 3, isCalled: true },
      { name: 'Neem Opticians', maxConcurrency: 1, isCalled: false },
    ],
    campaigns: [
      campaign(random, { organization: 0, concurrency: 2, farEnds: farEnds.slice(0, OF_TWO_LINES) }),
      campaign(random, { organization: 1, concurrency: 1, farEnds: farEnds.slice(OF_TWO_LINES) }),
    ],
    dispatches: [{ atMs: random.between(2_000, 30_000), organization: 0, ending: 70 }],
    callers: drawCallers(random),
    clocks: { simulator: 0, api: 0, worker: 0 },
    faults: drawKills(random),
    commands: [
      { kind: 'pause_and_resume', atMs: random.between(10_000, 30_000), campaign: 0, pausedForMs: 800 },
    ],
    continueAsNewAfterEvents: 100,
  };
}

/** Long calls come first, so that the first kill hits a live one. */
function campaign(
  random: Random,
  { farEnds, ...of }: { organization: number; concurrency: number; farEnds: readonly number[] },
): CampaignPlan {
  const usual = Array.from({ length: CONTACTS - 1 }, () => random.pick(ENDINGS));
  return {
    ...of,
    maxRetries: 2,
    retryDelayMins: 0,
    endings: [0, ...random.shuffled([...usual, ...farEnds])],
    createdAtMs: 0,
    campaignWebhook: '/ok',
    callWebhook: '/ok',
    window: 'open',
  };
}

const drawCallers = (random: Random): CallerPlan[] =>
  CALLERS.map((ending) => ({ atMs: random.between(...CALLED_MS), organization: 0, ending }));

function drawKills(random: Random): Fault[] {
  const faults: Fault[] = [{ kind: 'shuffle_events', atMs: 1_000, forMs: SHUFFLED_MS }];
  let atMs = FIRST_MS;
  for (const process of random.shuffled(KILLED)) {
    faults.push({ kind: 'kill', atMs, process, downMs: random.between(0, 1_500) });
    atMs += random.between(...APART_MS);
  }
  return faults;
}

const REPLICAS = { apis: 3, workers: 3 } as const;
const SERVERS = ['postgres', 'temporal', 'simulator'] as const;
/** Longer than the timeouts of workflow tasks and HTTP requests, so that other processes take over before the stalled one resumes. */
const STALL_MS: [number, number] = [2_000, 12_000];
/** Number of dispatches just before each fault. */
const BURST = 8;
/** The first campaign has three times the usual number of contacts, so that its lines stay busy until the last fault. */
const CONTACTS_TIMES = 3;
/** Gap between faults over LiveKit, where calls take longer. */
const CALLS_MS = 6_000;

/**
 * Plans a run with three APIs behind a balancer and three workers, and two agents if it uses LiveKit. One process of each kind dies, one
 * stalls and one loses a link while the others continue. In the middle of the run, a rolling restart replaces all of them.
 */
export function drawReplicaPlan(seed: number, size: PlanSize): Plan {
  const random = new Random(Math.imul(seed, 0x27d4eb2f));
  const usual = drawPlan(seed, size);
  const replicas = { ...REPLICAS, agents: 1 } as const;
  const faults = oneAfterTheOther(random, () => drawReplicaFaults(random, size, replicas));
  const { length } = usual.organizations;
  return {
    ...usual,
    ...replicas,
    campaigns: usual.campaigns.map((campaign, index) =>
      index > 0 || size === 'short'
        ? campaign
        : { ...campaign, endings: Array.from({ length: CONTACTS_TIMES }, () => campaign.endings).flat() },
    ),
    faults,
    dispatches: faults.flatMap(({ atMs }) =>
      drawBurst(random, { atMs, count: BURST, organizations: length }),
    ),
  };
}

export function drawLivekitReplicaPlan(seed: number): Plan {
  const random = new Random(Math.imul(seed, 0x165667b1));
  const usual = drawLivekitPlan(seed);
  const first = usual.faults.filter(({ kind }) => kind === 'shuffle_events');
  const kill = (process: ProcessName) => drawKill(random, process);
  const replicas = [...APIS, ...WORKERS, ...AGENTS];
  const ofEach = [random.pick(APIS), random.pick(WORKERS), random.pick(AGENTS)];
  const draws = random.shuffled([
    ...ofEach.map(kill),
    kill(random.pick(['simulator', 'livekit'])),
    // Rotates, so that twenty seeds stall each replica.
    stall(random, replicas[seed % replicas.length] ?? 'agent'),
  ]);
  const faults = oneAfterTheOther(random, () => [
    ...draws.slice(0, 2),
    rollingRestart(replicas),
    ...draws.slice(2),
  ]);
  const later = faults.map((fault, index) => ({ ...fault, atMs: fault.atMs + (index + 1) * CALLS_MS }));
  return { ...usual, ...REPLICAS, agents: 2, faults: [...first, ...later] };
}

function drawReplicaFaults(random: Random, size: PlanSize, replicas: Replicas): Draw[] {
  const kill = (process: ProcessName) => drawKill(random, process);
  const cut = (link: LinkName) => drawCut(random, link);
  const lose = (link: LinkName) => drawLoss(random, link);
  const [api, worker] = [random.shuffled(APIS), random.shuffled(WORKERS)];
  const links = random.shuffled(linksOf(replicas).filter((link) => link !== 'worker-receiver'));
  const short = [...api.slice(0, 1), ...worker.slice(0, 1)].map(kill);
  const draws =
    size === 'short'
      ? [...short, stall(random, worker[1] ?? 'worker')]
      : [
          ...[...short, kill(random.pick([...APIS, ...WORKERS])), kill(random.pick(SERVERS))],
          ...[...api.slice(1, 2), ...worker.slice(1, 2)].map((process) => stall(random, process)),
          ...[...links.slice(0, 1).map(cut), ...links.slice(1, 2).map(lose)],
        ];
  const order = random.shuffled(draws);
  const middle = Math.floor(order.length / 2);
  return [...order.slice(0, middle), rollingRestart([...APIS, ...WORKERS]), ...order.slice(middle)];
}

const rollingRestart =
  (processes: readonly Replica[]): Draw =>
  (atMs): Fault => ({ kind: 'rolling_restart', atMs, processes: [...processes] });

function stall(random: Random, process: Replica): Draw {
  const forMs = random.between(...STALL_MS);
  return (atMs) => ({ kind: 'stall', atMs, process, forMs });
}

const STALLED = ['worker', 'api', 'postgres', 'temporal'] as const satisfies readonly ProcessName[];
const STARVED_MS = 30_000;
const LOCKED_MS = 5_000;
const FIRST_STALL_MS: [number, number] = [2_500, 3_500];
/** Gap between faults, during which some calls end and others continue. */
const STALLS_APART_MS: [number, number] = [1_500, 3_000];

const STALL_BURST = 20;
type DrawStall = (atMs: number) => Extract<Fault, { forMs: number }>;

/**
 * Plans a run on a machine that stalls: processes stop and resume, one gets a tenth of a processor, and an organization's row is locked.
 * Nothing dies, and links and clocks work normally, because the usual plan covers those faults. A burst of dispatches precedes each fault,
 * so that it hits workflows during their first tasks.
 */
export function drawStallPlan(seed: number, size: PlanSize): Plan {
  const random = new Random(Math.imul(seed, 0xc2b2ae35));
  const usual = drawPlan(seed, size);
  const faults = drawStalls(random, size, usual);
  const { length } = usual.organizations;
  return {
    ...usual,
    clocks: { simulator: 0, api: 0, worker: 0 },
    faults,
    dispatches: faults.flatMap(({ atMs }) =>
      drawBurst(random, { atMs, count: STALL_BURST, organizations: length }),
    ),
  };
}

function drawStalls(random: Random, size: PlanSize, { workers, organizations }: Plan): Fault[] {
  const stall = (process: ProcessName): DrawStall => {
    const forMs = random.between(...STALL_MS);
    return (atMs) => ({ kind: 'stall', atMs, process, forMs });
  };
  const starved = random.pick(STALLED);
  const organization = random.between(0, organizations.length - 1);
  const draws: DrawStall[] =
    size === 'short'
      ? [stall('worker'), stall(random.pick(['api', 'postgres', 'temporal']))]
      : [
          ...STALLED.map(stall),
          ...(workers === 2 ? [stall('worker-2')] : []),
          (atMs) => ({ kind: 'starve', atMs, process: starved, forMs: STARVED_MS }),
          (atMs) => ({ kind: 'lock_organization', atMs, organization, forMs: LOCKED_MS }),
        ];
  const faults: Fault[] = [];
  let atMs = random.between(...FIRST_STALL_MS);
  for (const draw of random.shuffled(draws)) {
    const fault = draw(atMs);
    faults.push(fault);
    atMs += fault.forMs + random.between(...STALLS_APART_MS);
  }
  return faults;
}
