/**
 * Plans a run with three APIs behind a balancer and three workers, and two agents if it uses LiveKit. One process of each kind dies, one
 * stalls and one loses a link while the others continue. In the middle of the run, a rolling restart replaces all of them.
 */
import { Random } from '../random';
import { drawBurst } from './bursts';
import {
  AGENTS,
  APIS,
  drawCut,
  drawKill,
  drawLoss,
  linksOf,
  oneAfterTheOther,
  WORKERS,
  type Draw,
  type Fault,
  type LinkName,
  type ProcessName,
  type Replica,
  type Replicas,
} from './faults';
import { drawLivekitPlan } from './livekit-plan';
import { drawPlan, type Plan } from './plan';
import type { PlanSize } from './plan-size';

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
