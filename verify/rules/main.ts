/** `npm run test:rules`: compares `decide` with the Python oracle on generated questions. */
import { availableParallelism } from 'node:os';
import { wholeNumber } from '../../api/admin/option-values';
import { exitWithError } from '../../dev/exit-with-error';
import { commandOf, readOptions } from '../../dev/options';
import { printProgress } from '../../dev/progress';
import { compareWithOracle, oraclePython, type Comparison } from './compare';

interface RulesOptions {
  seed: number;
  questions: number;
  jobs: number;
}

const MAX = 100_000_000;
/** Each job asks this many questions with a seed of its own. */
const PART = 20_000;

/** Returns null for `--help`. Throws a `UsageFault` that names the invalid option or value. */
function readCommandLine(args: string[]): RulesOptions | null {
  const command = commandOf(
    'npm run test:rules --',
    'Asks generated questions about rule profiles and compares the answers with those of a Python program that shares no code with the ' +
      'platform. A million questions take about ten minutes on two cores.',
  )
    .option('--questions <n>', 'number of questions', wholeNumber(1, MAX), PART)
    .option('--seed <s>', 'ask other questions', wholeNumber(1, MAX), 1)
    .option('--jobs <n>', 'number of oracles at once', wholeNumber(1, 64), availableParallelism())
    .addHelpText('after', '\nThe exit status is 0 if all answers are equal.');
  return readOptions<RulesOptions>(command, args);
}

async function main(): Promise<number> {
  const options = readCommandLine(process.argv.slice(2));
  if (options === null) return 0;
  const python = await oraclePython(printProgress(process.stderr));
  const begun = Date.now();
  const results = await inParts(python, options);
  const sum = (of: (result: Comparison) => number): number =>
    results.reduce((total, each) => total + of(each), 0);
  for (const difference of results.flatMap(({ differences }) => differences).slice(0, 10))
    console.log(JSON.stringify(difference, null, 1));
  const skippedZones = [...new Set(results.flatMap((result) => result.skippedZones))];
  if (skippedZones.length > 0)
    console.log(
      `Skipped ${sum(({ skipped }) => skipped)} questions, because the time zone data of Python and Node differ for ${skippedZones.join(', ')}.`,
    );
  const compared = sum((result) => result.compared);
  const different = sum((result) => result.different);
  console.log(
    `${compared} questions in ${Math.round((Date.now() - begun) / 1000)} s: ${different} different, ` +
      `${sum(({ allowed }) => allowed)} allowed, ${sum(({ neverAllowed }) => neverAllowed)} never allowed. ` +
      `decide took ${Math.round((sum(({ decideMs }) => decideMs) * 1000) / Math.max(compared, 1))} µs per question.`,
  );
  return different === 0 && compared > 0 ? 0 : 1;
}

async function inParts(
  python: string,
  { questions, seed, jobs }: RulesOptions,
): Promise<readonly Comparison[]> {
  const results: Comparison[] = [];
  const parts = Array.from({ length: Math.ceil(questions / PART) }, (_none, part) => ({
    seed: seed + part,
    questions: Math.min(PART, questions - part * PART),
  }));
  const left = parts.values();
  const lane = async (): Promise<void> => {
    for (const part of left) results.push(await compareWithOracle({ python, ...part }));
  };
  await Promise.all(Array.from({ length: jobs }, lane));
  return results;
}

main().then((status) => process.exit(status), exitWithError);
