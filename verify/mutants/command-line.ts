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

Changes one condition at a time in the SQL functions of a call, the dialling activities, the workflows and their decisions, and runs the
fast suites, which must find the change. A sample of 150 takes up to an hour on two cores.

  --seed S      draw another sample (default 1)
  --count N     number of mutants (default 150)
  --only TEXT   only files with this text in their path
  --jobs N      number of mutants judged at once, each on its own servers (default 2)
  --json FILE   also write the verdicts to FILE
  --by-hand     judge the simulation's mutants of the dialling code instead
  --list        print the sample without judging it
  --help        print this text

The exit status is 0 if at least 95 % were found and every survivor is in verify/mutants/accepted.ts.`;

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
