/** The simulation on trial: engines with a planted fault, which a seed must find. */
import { columns } from '../bench/table';
import { drawSimulation } from './plan/plan';
import { PLANTED, type PlantedSimulationFault } from './planted';
import type { Laboratory } from './postgres/laboratory';
import { runSimulation } from './run-simulation';

export interface SimulationTrial {
  name: string;
  invariant: number;
  /** The first seed that broke the invariant; null where none did. */
  seed: number | null;
  violation: string | null;
}

export interface TrialOptions {
  seeds: readonly number[];
  /** With the fault in it; closed here. */
  open: (fault: PlantedSimulationFault) => Promise<Laboratory>;
  say: (line: string) => void;
  faults?: readonly PlantedSimulationFault[];
}

export async function runTrials({
  seeds,
  open,
  say,
  faults = PLANTED,
}: TrialOptions): Promise<SimulationTrial[]> {
  const trials: SimulationTrial[] = [];
  for (const fault of faults) {
    const laboratory = await open(fault);
    try {
      const trial = await tryOne(laboratory, fault, seeds);
      say(`${fault.name}: ${trial.seed === null ? 'NOT FOUND' : `found by seed ${trial.seed}`}`);
      trials.push(trial);
    } finally {
      await laboratory.close();
    }
  }
  return trials;
}

async function tryOne(
  laboratory: Laboratory,
  { name, invariant }: PlantedSimulationFault,
  seeds: readonly number[],
): Promise<SimulationTrial> {
  for (const seed of seeds) {
    const { violations } = await runSimulation(laboratory, drawSimulation(seed));
    const own = violations.find(({ sentence }) => sentence.startsWith(`${invariant}.`));
    if (own !== undefined) return { name, invariant, seed, violation: own.sentence };
  }
  return { name, invariant, seed: null, violation: null };
}

export function trialTable(trials: readonly SimulationTrial[]): string {
  const rows = trials.map(({ name, invariant, seed }) => [
    String(invariant),
    name,
    seed === null ? 'NOT FOUND' : `seed ${seed}`,
  ]);
  return columns([['invariant', 'planted fault', 'found by'], ...rows], [0]);
}
