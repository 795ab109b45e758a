/** `npm run test:mutants`: the proof that the fast suites notice when a condition of the engine is wrong. */
import { writeFile } from 'node:fs/promises';
import { abortOnInterrupt, Interrupted, INTERRUPTED_STATUS } from '../../dev/demo/interruption';
import { errorText } from '../../dev/error-text';
import { checkWritable, statusOf, UsageFault } from '../../dev/options';
import { repositoryRoot } from '../../dev/stack/repository';
import { limitsFor, measureBaseline } from './baseline';
import { candidateFiles, candidatesOf } from './candidates';
import { HELP, readCommandLine, type MutantOptions } from './command-line';
import type { Work } from './judge';
import { openJudges } from './judges';
import type { Mutant } from './mutant';
import { place, progressLine, report } from './report';
import { sampleOf } from './sample';
import { suitesFor } from './suites';
import { hasPassed, resultOf, scoreOf, type Result } from './verdict';

async function main(): Promise<number> {
  const options = readCommandLine(process.argv.slice(2));
  if (options === null) {
    console.log(HELP);
    return 0;
  }
  if (options.jsonFile !== null) await checkWritable('--json', options.jsonFile);
  const sample = await drawn(options);
  if (options.list) {
    for (const mutant of sample) console.log(`${place(mutant)}  ${mutant.change}\n    ${mutant.code}`);
    return 0;
  }
  const stopping = new AbortController();
  abortOnInterrupt(stopping);
  const begun = Date.now();
  const results = await judgeAll(sample, options, stopping.signal);
  console.log(`\n${report(results, Date.now() - begun)}`);
  if (options.jsonFile !== null) {
    const { seed, count, only, jobs } = options;
    const record = {
      seed,
      count,
      only,
      jobs,
      seconds: Math.round((Date.now() - begun) / 1000),
      score: scoreOf(results),
      results,
    };
    await writeFile(options.jsonFile, `${JSON.stringify(record, null, 2)}\n`);
  }
  return hasPassed(results) ? 0 : 1;
}

async function drawn({ seed, count, only }: MutantOptions): Promise<Mutant[]> {
  const files = await candidateFiles(repositoryRoot());
  const candidates = files.filter(({ file }) => only === null || file.includes(only)).flatMap(candidatesOf);
  if (candidates.length === 0)
    throw new UsageFault(`--only ${only}: no file of this name has a condition to change`);
  const sample = sampleOf(candidates, count, seed);
  console.log(`${sample.length} of ${candidates.length} mutants, seed ${seed}.`);
  return sample;
}

async function judgeAll(
  sample: readonly Mutant[],
  { jobs }: MutantOptions,
  signal: AbortSignal,
): Promise<Result[]> {
  const judges = await openJudges(jobs, signal);
  try {
    const suites = [...new Set(sample.flatMap(suitesFor))];
    console.log(`${suites.length} suites judge them; first each without a mutant.`);
    const baseline = await measureBaseline(judges, suites, jobs);
    const items = sample.map((mutant): Extract<Work, { kind: 'mutant' }> => {
      const judging = suitesFor(mutant);
      return { kind: 'mutant', mutant, suites: judging, ...limitsFor(baseline, judging) };
    });
    const begun = Date.now();
    const results: Result[] = [];
    await judges.each(items, ({ mutant }, judged, ms) => {
      if (judged.kind === 'fault') return;
      const result = resultOf(mutant, judged, ms);
      results.push(result);
      if (result.verdict === 'survived')
        console.log(`survived  ${place(mutant)}  ${mutant.change}\n    ${mutant.code}`);
      console.log(progressLine(results, sample.length, Date.now() - begun));
    });
    return results;
  } finally {
    await judges.close();
  }
}

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    if (error instanceof Interrupted) process.exit(INTERRUPTED_STATUS);
    console.error(errorText(error));
    process.exit(statusOf(error));
  },
);
