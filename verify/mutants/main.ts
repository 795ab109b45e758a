/** `npm run test:mutants`: checks whether the fast suites detect wrong conditions in the engine. */
import { writeFile } from 'node:fs/promises';
import { wholeNumber } from '../../api/admin/option-values';
import { abortOnInterrupt } from '../../dev/demo/interruption';
import { exitWithError } from '../../dev/exit-with-error';
import { checkWritable, commandOf, readOptions, UsageFault } from '../../dev/options';
import { repositoryRoot } from '../../dev/stack/repository';
import { acceptedAs } from './accepted';
import { candidateFiles, candidatesOf } from './candidates';
import type { Work } from './judge';
import { limitsFor, measureBaseline, openJudges } from './judges';
import { type Mutant, sampleOf } from './mutant';
import { suitesFor } from './suites';
import { hasPassed, place, progressLine, report, type Result, resultOf, scoreOf } from './verdict';

interface MutantOptions {
  seed: number;
  count: number;
  /** Judges only files with this text in their path. */
  only: string | null;
  jobs: number;
  jsonFile: string | null;
  /** Prints the sample without judging it. */
  list: boolean;
}

const MAX = 100_000;

/** Returns null for `--help`. Throws a `UsageFault` that names the invalid option or value. */
function readCommandLine(args: string[]): MutantOptions | null {
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

async function main(): Promise<number> {
  const options = readCommandLine(process.argv.slice(2));
  if (options === null) return 0;
  if (options.jsonFile !== null) await checkWritable('--json', options.jsonFile);
  const sample = await drawn(options);
  if (options.list) {
    for (const mutant of sample) console.log(`${place(mutant)}  ${mutant.change}\n    ${mutant.code}`);
    return 0;
  }
  const stopping = new AbortController();
  abortOnInterrupt(stopping);
  const begun = Date.now();
  const results: Result[] = [];
  try {
    await judgeAll(sample, { ...options, signal: stopping.signal }, results);
  } finally {
    // Publishes results even if the run was interrupted.
    if (results.length > 0) await publish(results, options, Date.now() - begun);
  }
  return hasPassed(results) ? 0 : 1;
}

async function publish(results: readonly Result[], options: MutantOptions, elapsedMs: number): Promise<void> {
  console.log(`\n${report(results, elapsedMs)}`);
  const { seed, count, only, jobs, jsonFile } = options;
  if (jsonFile === null) return;
  const seconds = Math.round(elapsedMs / 1000);
  const record = { seed, count, only, jobs, seconds, score: scoreOf(results), results };
  await writeFile(jsonFile, `${JSON.stringify(record, null, 2)}\n`);
}

async function drawn({ seed, count, only }: MutantOptions): Promise<Mutant[]> {
  const files = await candidateFiles(repositoryRoot());
  const candidates = files.filter(({ file }) => only === null || file.includes(only)).flatMap(candidatesOf);
  if (candidates.length === 0)
    throw new UsageFault(`--only ${only}: no file with this path has a condition to change`);
  const sample = sampleOf(candidates, count, seed);
  console.log(`${sample.length} of ${candidates.length} mutants, seed ${seed}.`);
  return sample;
}

async function judgeAll(
  sample: readonly Mutant[],
  { jobs, signal }: Pick<MutantOptions, 'jobs'> & { signal: AbortSignal },
  results: Result[],
): Promise<void> {
  const [accepted, judging] = [sample.filter(isAccepted), sample.filter((mutant) => !isAccepted(mutant))];
  results.push(...accepted.map((mutant) => resultOf(mutant, { kind: 'ran', results: [] }, 0)));
  const judges = await openJudges(jobs, signal);
  try {
    const suites = [...new Set(judging.flatMap(suitesFor))];
    console.log(`${suites.length} suites judge them. Each runs once without a mutant first.`);
    const baseline = await measureBaseline(judges, suites, jobs);
    const items = judging.map((mutant): Extract<Work, { kind: 'mutant' }> => {
      const its = suitesFor(mutant);
      return { kind: 'mutant', mutant, suites: its, ...limitsFor(baseline, its) };
    });
    const begun = Date.now();
    await judges.each(items, ({ mutant }, judged, ms) => {
      const result = resultOf(mutant, judged, ms);
      results.push(result);
      if (result.verdict === 'survived')
        console.log(`survived  ${place(mutant)}  ${mutant.change}\n    ${mutant.code}`);
      console.log(progressLine(results, sample.length, Date.now() - begun));
    });
  } finally {
    await judges.close();
  }
}

const isAccepted = (mutant: Mutant): boolean => acceptedAs(mutant) !== null;

main().then((status) => process.exit(status), exitWithError);
