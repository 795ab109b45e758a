/** `npm run test:faults`: checks that the campaign engine loses no contact, dials none twice and respects its limits while processes die. */
import { writeFile } from 'node:fs/promises';
import { abortOnInterrupt } from '../../dev/demo/interruption';
import { errorText } from '../../dev/error-text';
import { exitWithError } from '../../dev/exit-with-error';
import { checkWritable } from '../../dev/options';
import { printProgress } from '../../dev/progress';
import { type FaultOptions, readCommandLine } from './command-line';
import { drawPlan, type Plan } from './plan/plan';
import { drawLivekitPlan, drawLivekitReplicaPlan, drawReplicaPlan, drawStallPlan } from './plan/variants';
import { runSeed, type SeedResult } from './run-seed';
import { scorecard, scorecardTable, violationsOf } from './scorecard';
import { progressLines, runTrials } from './trials';

const MAX_SHOWN = 20;

/** Returns true if every run reached a verdict and every invariant held. */
async function runSeeds(options: FaultOptions, signal: AbortSignal): Promise<boolean> {
  const results: SeedResult[] = [];
  const undecided: number[] = [];
  for (const seed of options.seeds) {
    try {
      const result = await runOne(seed, options, signal);
      print(result);
      results.push(result);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      console.log(`seed ${seed}: no verdict: ${errorText(error)}`);
      undecided.push(seed);
    }
  }
  const card = scorecard(results);
  console.log(`\n${scorecardTable(card)}\n`);
  if (options.jsonFile !== null) {
    await writeFile(options.jsonFile, `${JSON.stringify({ ...card, undecided }, null, 2)}\n`);
  }
  return conclude(results, undecided, options);
}

function runOne(seed: number, options: FaultOptions, signal: AbortSignal): Promise<SeedResult> {
  return runSeed({
    plan: planOf(seed, options),
    environment: process.env,
    say: progressLines(`seed ${seed}`),
    onProgress: printProgress(process.stderr),
    keep: options.keep,
    signal,
  });
}

function planOf(seed: number, { telephony, stalls, replicas }: FaultOptions): Plan {
  if (telephony === 'livekit') return replicas ? drawLivekitReplicaPlan(seed) : drawLivekitPlan(seed);
  if (replicas) return drawReplicaPlan(seed, 'full');
  return stalls ? drawStallPlan(seed, 'full') : drawPlan(seed, 'full');
}

function print(result: SeedResult): void {
  const { seed, faults, durationS, evidenceFolder, verdict } = result;
  const violations = violationsOf(result);
  const said = violations.length === 0 ? 'every invariant held' : `${violations.length} violations`;
  console.log(
    `seed ${seed}: ${verdict.figures.dials} dials, ${faults} faults, ${said} (${Math.round(durationS)} s)`,
  );
  for (const violation of violations.slice(0, MAX_SHOWN)) console.log(`  ${violation}`);
  if (violations.length > MAX_SHOWN) console.log(`  … and ${violations.length - MAX_SHOWN} more`);
  if (violations.length === 0 && evidenceFolder !== null) console.log(`  evidence: ${evidenceFolder}`);
}

function conclude(
  results: readonly SeedResult[],
  undecided: readonly number[],
  { telephony, stalls, replicas }: FaultOptions,
): boolean {
  const option = [
    ...(telephony === 'livekit' ? [' --telephony livekit'] : []),
    ...(stalls ? [' --stalls'] : []),
    ...(replicas ? [' --replicas'] : []),
  ].join('');
  const failed = results.filter((result) => violationsOf(result).length > 0);
  for (const { seed, evidenceFolder } of failed) {
    console.log(`Seed ${seed} failed. Evidence: ${evidenceFolder}`);
    console.log(`  again: npm run test:faults --${option} --seed ${seed}`);
  }
  for (const seed of undecided) console.log(`Seed ${seed} has no verdict.`);
  const isProven = failed.length + undecided.length === 0;
  if (isProven) console.log('Every invariant held in every run.');
  return isProven;
}

async function main(): Promise<number> {
  const options = readCommandLine(process.argv.slice(2));
  if (options === null) return 0;
  // Checks this first, so that a long run doesn't fail only when it writes its result.
  if (options.jsonFile !== null) await checkWritable('--json', options.jsonFile);
  const stopping = new AbortController();
  abortOnInterrupt(stopping);
  const run = options.planted ? runTrials : runSeeds;
  return (await run(options, stopping.signal)) ? 0 : 1;
}

main().then((status) => process.exit(status), exitWithError);
