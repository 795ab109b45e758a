import type { Random } from '../random';

/** `short` is for every code change, `full` for the proof. */
export type PlanSize = 'full' | 'short';

/** Processes that can have several replicas, in the order in which a run starts them. */
export const APIS = ['api', 'api-2', 'api-3'] as const;
export const WORKERS = ['worker', 'worker-2', 'worker-3'] as const;
export const AGENTS = ['agent', 'agent-2'] as const;
export type Replica = (typeof APIS | typeof WORKERS | typeof AGENTS)[number];

/** `simulator` is the carrier's process. Agents and `livekit` exist only in runs over LiveKit. */
export type ProcessName = Replica | 'postgres' | 'temporal' | 'simulator' | 'livekit';

/** Number of processes of each kind. Three APIs are behind a balancer. */
export interface Replicas {
  apis: 1 | 3;
  workers: 1 | 2 | 3;
  agents: 1 | 2;
}

/** Pairs of processes that are connected through a proxy. */
const LINKS = [
  'api-postgres',
  'api-temporal',
  'worker-postgres',
  'worker-temporal',
  'worker-carrier',
  'worker-receiver',
  'worker-2-postgres',
  'worker-2-temporal',
  'worker-2-carrier',
  'carrier-api',
  'api-2-postgres',
  'api-2-temporal',
  'api-3-postgres',
  'api-3-temporal',
  'worker-3-postgres',
  'worker-3-temporal',
  'worker-3-carrier',
] as const;
export type LinkName = (typeof LINKS)[number];

/** Returns the links between a run's processes, in the order of `LINKS`. */
export function linksOf({ apis, workers }: Pick<Replicas, 'apis' | 'workers'>): LinkName[] {
  const absent = [...APIS.slice(apis), ...WORKERS.slice(workers)];
  return LINKS.filter((link) => !absent.some((process) => link.startsWith(process)));
}

/** `refuse` resets connections and refuses new ones. `silence` drops all bytes and resets the connections when the link heals. */
export type CutKind = 'refuse' | 'silence';

/** `reset` breaks the connection. `page` responds to an HTTP request with a proxy's error page. */
export type LossKind = 'reset' | 'page';

/** Processes whose clock can be set. Postgres, Temporal and the judges use the machine's clock. */
export type ShiftedClock = 'simulator' | 'api' | 'worker';

export type Fault =
  | { kind: 'kill'; atMs: number; process: ProcessName; downMs: number }
  | { kind: 'cut'; atMs: number; link: LinkName; how: CutKind; forMs: number }
  /** Requests arrive, but this many responses get lost. */
  | { kind: 'lose_answers'; atMs: number; link: LinkName; count: number; how: LossKind; forMs: number }
  /** Carrier events arrive twice, late and out of order. */
  | { kind: 'shuffle_events'; atMs: number; forMs: number }
  | { kind: 'shift_clock'; atMs: number; clock: ShiftedClock; offsetMs: number }
  /** Each process gets SIGTERM and is restarted. The next one follows once it is ready. */
  | { kind: 'rolling_restart'; atMs: number; processes: Replica[] }
  /** The process gets SIGSTOP, then SIGCONT after `forMs`. */
  | { kind: 'stall'; atMs: number; process: ProcessName; forMs: number }
  /** The process gets only a tenth of a processor. */
  | { kind: 'starve'; atMs: number; process: ProcessName; forMs: number }
  /** A foreign transaction locks the organization's row. */
  | { kind: 'lock_organization'; atMs: number; organization: number; forMs: number };

const MINUTES_10_MS = 600_000;
/** Gap between faults, which makes clear which fault caused a violation or a delay until the next dial. */
const QUIET_MS: [number, number] = [2_200, 3_200];
/** Time to drain and start one process. */
const RESTARTED_MS = 2_000;

/** Draws faults that follow one another in the drawn order. Shifted clocks and shuffled events overlap with others. */
export function drawFaults(random: Random, size: PlanSize, workers: 1 | 2): Fault[] {
  return oneAfterTheOther(random, () => drawKinds(random, size, workers));
}

/** Calls `draw` after drawing the time of the first fault. */
export function oneAfterTheOther(random: Random, draw: () => Draw[]): Fault[] {
  const faults: Fault[] = [];
  let atMs = random.between(1_500, 2_500);
  for (const each of draw()) {
    const fault = each(atMs);
    faults.push(fault);
    atMs += lastsMs(fault) + random.between(...QUIET_MS);
  }
  return faults;
}

/** Returns the time until everything works again. A process takes about as long to start as it was down. */
function lastsMs(fault: Fault): number {
  switch (fault.kind) {
    case 'kill':
      return fault.downMs + 1_200;
    case 'rolling_restart':
      return fault.processes.length * RESTARTED_MS;
    case 'cut':
    case 'stall':
    case 'starve':
    case 'lock_organization':
      return fault.forMs;
    case 'lose_answers':
    case 'shuffle_events':
    case 'shift_clock':
      return 0;
  }
}

export type Draw = (atMs: number) => Fault;

function drawKinds(random: Random, size: PlanSize, workers: 1 | 2): Draw[] {
  // Kills the worker or the API, whose restart is timed, and other processes.
  const timed = random.pick<ProcessName>(['worker', 'api']);
  const others = (['worker', 'api', 'postgres', 'temporal', 'simulator'] as const).filter(
    (process) => process !== timed,
  );
  const kill = (process: ProcessName) => drawKill(random, process);
  const cut = (link: LinkName) => drawCut(random, link);
  const lose = (link: LinkName) => drawLoss(random, link);
  const links = linksOf({ apis: 1, workers });
  const [kills, cuts, losses] = size === 'full' ? [3, 3, 2] : [1, 1, 1];
  const shuffle: Draw = (atMs) => ({ kind: 'shuffle_events', atMs, forMs: 6_000 });
  const loseFrom = links.filter((link) => link !== 'worker-receiver');
  return random.shuffled([
    ...[timed, ...random.shuffled(others).slice(0, kills - 1)].map(kill),
    ...(workers === 2 ? [kill('worker-2')] : []),
    ...random.shuffled(links).slice(0, cuts).map(cut),
    // Always includes a lost response of the carrier, because that is the most common cause of duplicate dials.
    ...['worker-carrier' as const, ...random.shuffled(loseFrom).slice(0, losses - 1)].map(lose),
    shuffle,
    ...drawShifts(random, size),
  ]);
}

/** Draws everything except the time of the fault. */
export function drawKill(random: Random, process: ProcessName): Draw {
  const downMs = random.between(0, 1_500);
  return (atMs) => ({ kind: 'kill', atMs, process, downMs });
}

export function drawCut(random: Random, link: LinkName): Draw {
  const [how, forMs] = [random.pick<CutKind>(['refuse', 'silence']), random.between(400, 3_500)];
  return (atMs) => ({ kind: 'cut', atMs, link, how, forMs });
}

export function drawLoss(random: Random, link: LinkName): Draw {
  const count = random.between(1, 3);
  const how = random.pick<LossKind>(link.endsWith('-carrier') ? ['reset', 'page'] : ['reset']);
  return (atMs) => ({ kind: 'lose_answers', atMs, link, count, how, forMs: 4_000 });
}

/**
 * Moves the carrier's clock only forward. The simulator plans calls by its clock, so setting it back by ten minutes would extend calls by
 * ten minutes. Instead, the clock may start far behind.
 */
function drawShifts(random: Random, size: PlanSize): Draw[] {
  const clocks: readonly ShiftedClock[] = random.shuffled(['worker', 'api', 'simulator'] as const);
  return clocks.slice(0, size === 'full' ? 2 : 1).map((clock) => {
    const offsetMs =
      clock === 'simulator'
        ? random.between(150_000, MINUTES_10_MS)
        : random.between(-MINUTES_10_MS, MINUTES_10_MS);
    return (atMs) => ({ kind: 'shift_clock', atMs, clock, offsetMs });
  });
}
