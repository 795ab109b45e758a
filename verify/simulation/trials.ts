/** Tests the simulation: runs engines with a planted fault until a seed finds it. */
import { columns } from '../bench/figure';
import { drawSimulation } from './plan/plan';
import { planFor, PLANTED, type PlantedSimulationFault } from './planted';
import type { Laboratory } from './postgres/laboratory';
import type { Violation } from './judge';
import { runSimulation } from './run-simulation';
import { reduced } from './seeds';

export interface SimulationTrial {
  name: string;
  invariant: number | null;
  /** First seed that violated the invariant, or null. */
  seed: number | null;
  violation: string | null;
  /** Real time since the start of the first seed. */
  realMs: number;
}

export interface TrialOptions {
  seeds: readonly number[];
  /** Opens a laboratory with the planted fault. The caller of `open` closes it. */
  open: (fault: PlantedSimulationFault) => Promise<Laboratory>;
  say: (line: string) => void;
  faults?: readonly PlantedSimulationFault[];
  /** Shrinks the seed that found a fault, and prints its story. */
  story?: boolean;
}

export async function runTrials({
  seeds,
  open,
  say,
  faults = PLANTED,
  story = false,
}: TrialOptions): Promise<SimulationTrial[]> {
  const trials: SimulationTrial[] = [];
  for (const fault of faults) {
    const laboratory = await open(fault);
    try {
      const trial = await tryOne(laboratory, fault, seeds);
      say(`${fault.name}: ${foundBy(trial)} in ${seconds(trial.realMs)}`);
      trials.push(trial);
      if (story && isFound(trial)) say(await storyOfTrial(laboratory, fault, trial));
    } finally {
      await laboratory.close();
    }
  }
  return trials;
}

async function tryOne(
  laboratory: Laboratory,
  fault: PlantedSimulationFault,
  seeds: readonly number[],
): Promise<SimulationTrial> {
  const { name, invariant } = fault;
  const startedAt = performance.now();
  const trial = (found: Pick<SimulationTrial, 'seed' | 'violation'>): SimulationTrial => ({
    name,
    invariant,
    ...found,
    realMs: performance.now() - startedAt,
  });
  for (const seed of seeds) {
    const { violations } = await runSimulation(laboratory, planFor(fault, drawSimulation(seed)));
    const own = violations.find(isOf(invariant));
    if (own !== undefined) return trial({ seed, violation: own.sentence });
  }
  return trial({ seed: null, violation: null });
}

const isOf =
  (invariant: number | null) =>
  ({ sentence }: Violation): boolean =>
    invariant === null || sentence.startsWith(`${invariant}.`);

const storyOfTrial = (
  laboratory: Laboratory,
  fault: PlantedSimulationFault,
  { seed, violation }: Found,
): Promise<string> =>
  reduced(laboratory, planFor(fault, drawSimulation(seed)), {
    violations: [{ atMs: null, sentence: violation }],
  });

type Found = SimulationTrial & { seed: number; violation: string };

const isFound = (trial: SimulationTrial): trial is Found => trial.seed !== null && trial.violation !== null;

const foundBy = ({ seed }: SimulationTrial): string =>
  seed === null ? 'NOT FOUND' : `found by seed ${seed}`;

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

export function trialTable(trials: readonly SimulationTrial[]): string {
  const rows = trials.map((trial) => [
    trial.violation?.split('.')[0] ?? String(trial.invariant ?? 'any'),
    trial.name,
    foundBy(trial),
    seconds(trial.realMs),
  ]);
  return columns([['invariant', 'planted fault', 'verdict', 'after'], ...rows], [0, 3]);
}
