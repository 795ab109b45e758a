import { readOptions, UsageFault } from '../../dev/options';

export interface SimulationOptions {
  seeds: number[];
  planted: boolean;
  /** Run the mutants of the dialling code instead of the planted faults. */
  mutants: boolean;
  /** Only planted faults with this text in their name. Null for all. */
  only: string | null;
  story: boolean;
  twice: boolean;
}

export const HELP = `Usage: npm run test:simulation -- [options]

Runs the engine in virtual time: the real SQL functions, workflows and activities under one scheduler that a seed controls, with faults
between any two steps. A failed seed is reduced to the fewest events and printed as a story.

  --seeds N     run seeds 1 to N (default 20)
  --seeds M-N   run seeds M to N
  --seed S      run this seed only
  --story       print the story of every run; with --planted, of the reduced seed that found a fault
  --twice       run each seed twice and compare
  --planted     run the engine with each planted fault instead, which the seeds must find
  --mutants     run the engine with each mutant of the dialling code instead, and print which are found
  --only TEXT   with --planted or --mutants: only those with this text in their name
  --help        print this text

The exit status is 0 if every invariant held in every run, or with --planted if every planted fault was found.`;

const DEFAULT_SEEDS = '20';
const MOST = 1_000_000;

/** Returns null for `--help`. Throws a `UsageFault` that names the wrong option or value. */
export function readCommandLine(args: string[]): SimulationOptions | null {
  const values = readOptions('npm run test:simulation', args, {
    seeds: { type: 'string' },
    seed: { type: 'string' },
    story: { type: 'boolean', default: false },
    twice: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
    mutants: { type: 'boolean', default: false },
    only: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  });
  if (values.help) return null;
  if (values.seed !== undefined && values.seeds !== undefined) {
    throw new UsageFault('--seed and --seeds cannot be combined');
  }
  if (values.only !== undefined && !values.planted && !values.mutants)
    throw new UsageFault('--only needs --planted or --mutants');
  const { story, twice, planted, mutants, only = null } = values;
  return {
    seeds: values.seed === undefined ? range(values.seeds ?? DEFAULT_SEEDS) : [whole('--seed', values.seed)],
    story,
    twice,
    planted,
    mutants,
    only,
  };
}

function range(text: string): number[] {
  const [from = '1', to = ''] = text.includes('-') ? text.split('-') : ['1', text];
  const [first, last] = [whole('--seeds', from), whole('--seeds', to)];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_none, index) => first + index);
}

function whole(option: string, text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > MOST) {
    throw new UsageFault(`${option} must be a whole number from 1 to ${MOST}, not "${text}"`);
  }
  return value;
}
