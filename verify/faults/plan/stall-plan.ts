/**
 * Plans a run on a machine that stalls: processes stop and resume, one gets a tenth of a processor, and an organization's row is locked.
 * Nothing dies, and links and clocks work normally, because the usual plan covers those faults. A burst of dispatches precedes each fault,
 * so that it hits workflows during their first tasks.
 */
import { Random } from '../random';
import { drawBurst } from './bursts';
import type { Fault, ProcessName } from './faults';
import { drawPlan, type Plan } from './plan';
import type { PlanSize } from './plan-size';

const STALLED = ['worker', 'api', 'postgres', 'temporal'] as const satisfies readonly ProcessName[];
const STALL_MS: [number, number] = [2_000, 12_000];
const STARVED_MS = 30_000;
const LOCKED_MS = 5_000;
const FIRST_MS: [number, number] = [2_500, 3_500];
/** Gap between faults, during which some calls end and others continue. */
const APART_MS: [number, number] = [1_500, 3_000];

const BURST = 20;
type Draw = (atMs: number) => Extract<Fault, { forMs: number }>;

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
      drawBurst(random, { atMs, count: BURST, organizations: length }),
    ),
  };
}

function drawStalls(random: Random, size: PlanSize, { workers, organizations }: Plan): Fault[] {
  const stall = (process: ProcessName): Draw => {
    const forMs = random.between(...STALL_MS);
    return (atMs) => ({ kind: 'stall', atMs, process, forMs });
  };
  const starved = random.pick(STALLED);
  const organization = random.between(0, organizations.length - 1);
  const draws: Draw[] =
    size === 'short'
      ? [stall('worker'), stall(random.pick(['api', 'postgres', 'temporal']))]
      : [
          ...STALLED.map(stall),
          ...(workers === 2 ? [stall('worker-2')] : []),
          (atMs) => ({ kind: 'starve', atMs, process: starved, forMs: STARVED_MS }),
          (atMs) => ({ kind: 'lock_organization', atMs, organization, forMs: LOCKED_MS }),
        ];
  const faults: Fault[] = [];
  let atMs = random.between(...FIRST_MS);
  for (const draw of random.shuffled(draws)) {
    const fault = draw(atMs);
    faults.push(fault);
    atMs += fault.forMs + random.between(...APART_MS);
  }
  return faults;
}
