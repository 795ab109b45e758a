/** `npm run test:mutants`: checks whether the fast suites detect wrong conditions in the engine. */
import { writeFile } from 'node:fs/promises';
import { abortOnInterrupt } from '../../dev/demo/interruption';
import { exitWithError } from '../../dev/exit-with-error';
import { checkWritable, UsageFault } from '../../dev/options';
import { repositoryRoot } from '../../dev/stack/repository';
import { acceptedAs } from './accepted';
import { limitsFor, measureBaseline } from './baseline';
import { mutantsByHand } from './by-hand';
import { candidateFiles, candidatesOf } from './candidates';
import { readCommandLine, type MutantOptions } from './command-line';
import type { Work } from './judge';
import { openJudges } from './judges';
import type { Mutant } from './mutant';
import { place, progressLine, report } from './report';
import { sampleOf } from './sample';
import { suitesFor, widerSuitesFor } from './suites';
import { hasPassed, resultOf, scoreOf, type Result } from './verdict';

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

async function drawn({ seed, count, only, byHand }: MutantOptions): Promise<Mutant[]> {
  if (byHand) {
    const all = await mutantsByHand(repositoryRoot());
    return all.filter(({ file, change }) => only === null || file.includes(only) || change.includes(only));
  }
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
  { jobs, byHand, signal }: Pick<MutantOptions, 'jobs' | 'byHand'> & { signal: AbortSignal },
  results: Result[],
): Promise<void> {
  const [accepted, judging] = [sample.filter(isAccepted), sample.filter((mutant) => !isAccepted(mutant))];
  results.push(...accepted.map((mutant) => resultOf(mutant, { kind: 'ran', results: [] }, 0)));
  const judges = await openJudges(jobs, signal);
  const ofMutant = byHand ? widerSuitesFor : suitesFor;
  try {
    const suites = [...new Set(judging.flatMap(ofMutant))];
    console.log(`${suites.length} suites judge them. Each runs once without a mutant first.`);
    const baseline = await measureBaseline(judges, suites, jobs);
    const items = judging.map((mutant): Extract<Work, { kind: 'mutant' }> => {
      const its = ofMutant(mutant);
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
