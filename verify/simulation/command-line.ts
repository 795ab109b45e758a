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

Runs the engine in virtual time: the real SQL functions, workflows and activities, one scheduler that a seed decides, and faults between
any two steps. What it finds is shrunk to the fewest events and printed as a story.

  --seeds N     seeds 1 to N; 20 unless said
  --seeds M-N   seeds M to N
  --seed S      this seed alone
  --story       prints the story of every run, also of one that passed; with --planted that of the shrunk seed that found a fault
  --twice       runs each seed twice and compares
  --planted     instead: runs the engine with each of the planted faults, which must be found within the seeds
  --mutants     instead: runs the engine with each of the mutants of the code that dials, and prints which are found
  --only TEXT   with --planted or --mutants: those with this in their name
  --help        this text

Ends with status 0 when every invariant held in every run; with --planted, when every planted fault was found.`;

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
