/** Runs seeds one after another, shrinks the first one that fails, and prints its story. */
import { drawSimulation, type SimulationPlan } from './plan/plan';
import type { Laboratory } from './postgres/laboratory';
import { runSimulation, type SimulationResult } from './run-simulation';
import { shrink, sizeOf } from './shrink';
import { storyOf } from './story';

export interface Summary {
  seeds: number;
  failed: number[];
  virtualMs: number;
  realMs: number;
  /** CPU time of this process and of Postgres, if known. */
  cpuMs: number | null;
  steps: number;
  dials: number;
}

export interface SeedsOptions {
  seeds: readonly number[];
  say: (line: string) => void;
  story?: boolean;
  twice?: boolean;
  signal?: AbortSignal;
}

/** A repeated seed gave a different run, so its result proves nothing. */
export class NotRepeated extends Error {
  override name = 'NotRepeated';
}

export async function runSeeds(laboratory: Laboratory, options: SeedsOptions): Promise<Summary> {
  const { seeds, say, story = false, twice = false } = options;
  const summary: Summary = { seeds: 0, failed: [], virtualMs: 0, realMs: 0, cpuMs: null, steps: 0, dials: 0 };
  const cpuBefore = await laboratory.cpuMs();
  for (const seed of seeds) {
    options.signal?.throwIfAborted();
    const plan = drawSimulation(seed);
    const result = await runSimulation(laboratory, plan);
    summary.seeds += 1;
    summary.virtualMs += result.virtualMs;
    summary.realMs += result.realMs;
    summary.steps += result.steps;
    summary.dials += result.dials;
    say(lineOf(result));
    if (twice) await repeat(laboratory, plan, result);
    if (result.violations.length > 0) {
      summary.failed.push(seed);
      if (summary.failed.length === 1) say(await reduced(laboratory, plan, result));
    } else if (story) say(storyOf({ plan, result }));
  }
  const cpuAfter = await laboratory.cpuMs();
  summary.cpuMs = cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore;
  return summary;
}

async function repeat(laboratory: Laboratory, plan: SimulationPlan, result: SimulationResult): Promise<void> {
  const again = await runSimulation(laboratory, plan);
  if (again.fingerprint === result.fingerprint) return;
  const at = result.story.findIndex(
    (line, index) => JSON.stringify(line) !== JSON.stringify(again.story[index]),
  );
  const [one, other] = [result.story[at], again.story[at]];
  throw new NotRepeated(
    `seed ${plan.seed} did not repeat: ${JSON.stringify(one)}, then ${JSON.stringify(other)}`,
  );
}

/** Returns the story of the smallest plan that violates the invariant, which by default is that of the first violation. */
export async function reduced(
  laboratory: Laboratory,
  plan: SimulationPlan,
  result: Pick<SimulationResult, 'violations'>,
  invariant = result.violations[0]?.sentence.split('.')[0] ?? '',
): Promise<string> {
  const isSame = async (smaller: SimulationPlan): Promise<boolean> => {
    const { violations } = await runSimulation(laboratory, smaller);
    return violations.some(({ sentence }) => sentence.startsWith(`${invariant}.`));
  };
  const smallest = await shrink(plan, isSame);
  const story = storyOf({ plan: smallest, result: await runSimulation(laboratory, smallest) });
  return `\nSeed ${plan.seed} failed; its plan of ${sizeOf(plan)} parts was reduced to ${sizeOf(smallest)}:\n${story}\n`;
}

function lineOf({ seed, violations, fingerprint, virtualMs, realMs, dials }: SimulationResult): string {
  const said =
    violations.length === 0
      ? 'every invariant held'
      : `${violations.length} violations: ${violations[0]?.sentence}`;
  return `seed ${seed} (${fingerprint}): ${dials} dials in ${Math.round(virtualMs / 1_000)} s of virtual time, ${Math.round(realMs)} ms; ${said}`;
}

export function summaryLine({ seeds, failed, virtualMs, realMs, cpuMs, steps, dials }: Summary): string {
  const speed = (ms: number): string => `${Math.round(virtualMs / ms)} × real time`;
  const cpu = cpuMs === null ? '' : `, ${(cpuMs / 1_000).toFixed(1)} s of one core (${speed(cpuMs)})`;
  return (
    `${seeds} seeds, ${failed.length} failed${failed.length === 0 ? '' : ` (${failed.join(', ')})`}: ${dials} dials, ${steps} steps, ` +
    `${Math.round(virtualMs / 1_000)} s of virtual time in ${(realMs / 1_000).toFixed(1)} s (${speed(realMs)})${cpu}.`
  );
}
