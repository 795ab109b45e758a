import { commandOf, readOptions, UsageFault } from '../../dev/options';
import { seedOption, seedsOf, seedsOption } from '../faults/command-line';

export interface SimulationOptions {
  seeds: number[];
  planted: boolean;
  /** Runs the mutants of the dialling code instead of the planted faults. */
  mutants: boolean;
  /** Runs only planted faults with this text in their name; null runs all. */
  only: string | null;
  story: boolean;
  twice: boolean;
}

const DEFAULT_SEEDS = '20';
const MAX = 1_000_000;

/** Returns null for `--help`. Throws a `UsageFault` that names the invalid option or value. */
export function readCommandLine(args: string[]): SimulationOptions | null {
  const command = commandOf(
    'npm run test:simulation --',
    'Runs the engine in virtual time: the real SQL functions, workflows and activities under one scheduler that a seed controls, with faults ' +
      'between any two steps. A failed seed is reduced to the fewest events and printed as a story.',
  )
    .addOption(seedOption(MAX))
    .addOption(seedsOption(MAX, DEFAULT_SEEDS))
    .option(
      '--story',
      'print the story of every run; with --planted, of the reduced seed that found a fault',
      false,
    )
    .option('--twice', 'run each seed twice and compare', false)
    .option('--planted', 'run the engine with each planted fault instead, which the seeds must find', false)
    .option(
      '--mutants',
      'run the engine with each mutant of the dialling code instead, and print which are found',
      false,
    )
    .option('--only <text>', 'with --planted or --mutants: only those with this text in their name')
    .addHelpText(
      'after',
      '\nThe exit status is 0 if every invariant held in every run, or with --planted if every planted fault was found.',
    );
  const values = readOptions<
    Omit<SimulationOptions, 'seeds' | 'only'> & { seeds?: number[]; seed?: number; only?: string }
  >(command, args);
  if (values === null) return null;
  const { seed, seeds = seedsOf(MAX)(DEFAULT_SEEDS), only = null, ...others } = values;
  if (only !== null && !others.planted && !others.mutants)
    throw new UsageFault('--only needs --planted or --mutants');
  return { ...others, seeds: seed === undefined ? seeds : [seed], only };
}
