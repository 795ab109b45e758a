import { readOptions, UsageFault } from '../../dev/options';

export interface MutantOptions {
  seed: number;
  count: number;
  /** Only files with this text in their path. */
  only: string | null;
  jobs: number;
  /** Judge the simulation's mutants of the dialling code, each by all suites that run its file. */
  byHand: boolean;
  jsonFile: string | null;
  /** Print the sample without judging it. */
  list: boolean;
}

export const HELP = `Usage: npm run test:mutants -- [options]

Changes one condition at a time, in the SQL functions that a call goes through, in the activities that dial, in the workflows and in their
decisions, and has the fast suites find it. A sample of 150 takes up to an hour on two cores.

  --seed S      draws another sample; 1 unless said
  --count N     how many mutants; 150 unless said
  --only TEXT   of files whose path contains this
  --jobs N      how many are judged at once, each on servers of its own; 2 unless said
  --json FILE   writes the verdicts as JSON as well
  --by-hand     instead: the mutants that the simulation has of the code that dials
  --list        prints the sample instead of judging it
  --help        this text

Ends with status 0 when at least 95 % were found and every survivor is in verify/mutants/accepted.ts.`;

const MOST = 100_000;

/** Returns null for `--help`. Throws a `UsageFault` that names the wrong option or value. */
export function readCommandLine(args: string[]): MutantOptions | null {
  const values = readOptions('npm run test:mutants', args, {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '150' },
    only: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    json: { type: 'string' },
    'by-hand': { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  });
  if (values.help) return null;
  return {
    seed: whole('--seed', values.seed),
    count: whole('--count', values.count),
    only: values.only ?? null,
    jobs: whole('--jobs', values.jobs),
    jsonFile: values.json ?? null,
    byHand: values['by-hand'],
    list: values.list,
  };
}

function whole(option: string, text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > MOST) {
    throw new UsageFault(`${option} must be a whole number from 1 to ${MOST}, not "${text}"`);
  }
  return value;
}
