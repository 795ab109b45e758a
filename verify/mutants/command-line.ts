import { wholeNumber } from '../../api/admin/option-values';
import { commandOf, readOptions } from '../../dev/options';

export interface MutantOptions {
  seed: number;
  count: number;
  /** Judges only files with this text in their path. */
  only: string | null;
  jobs: number;
  /** Judges the simulation's mutants of the dialling code, each with all suites that run its file. */
  byHand: boolean;
  jsonFile: string | null;
  /** Prints the sample without judging it. */
  list: boolean;
}

const MAX = 100_000;

/** Returns null for `--help`. Throws a `UsageFault` that names the invalid option or value. */
export function readCommandLine(args: string[]): MutantOptions | null {
  const command = commandOf(
    'npm run test:mutants --',
    'Changes one condition at a time in the SQL functions of a call, the dialling activities, the workflows and their decisions, and runs the fast ' +
      'suites, which must find the change. A sample of 150 takes up to an hour on two cores.',
  )
    .option('--seed <s>', 'draw another sample', wholeNumber(1, MAX), 1)
    .option('--count <n>', 'number of mutants', wholeNumber(1, MAX), 150)
    .option('--only <text>', 'only files with this text in their path')
    .option('--jobs <n>', 'number of mutants judged at once, each on its own servers', wholeNumber(1, MAX), 2)
    .option('--json <file>', 'also write the verdicts to this file')
    .option('--by-hand', "judge the simulation's mutants of the dialling code instead", false)
    .option('--list', 'print the sample without judging it', false)
    .addHelpText(
      'after',
      '\nThe exit status is 0 if at least 95 % were found and every survivor is in verify/mutants/accepted.ts.',
    );
  const values = readOptions<Omit<MutantOptions, 'only' | 'jsonFile'> & { only?: string; json?: string }>(
    command,
    args,
  );
  if (values === null) return null;
  const { only = null, json: jsonFile = null, ...others } = values;
  return { ...others, only, jsonFile };
}
