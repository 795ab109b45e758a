/** Runs the checker against each planted fault. */
import { writeFile } from 'node:fs/promises';
import { removeFolder } from '../../dev/remove-folder';
import { errorText } from '../../dev/error-text';
import { printProgress } from '../../dev/progress';
import type { FaultOptions } from './command-line';
import { PLANTED_FAULTS, type PlantedFault } from './planted';
import { progressLines } from './progress-lines';
import { runSeed } from './run-seed';
import { trialOf, trialPlan, trialTable, TRIAL_DRAINED_WITHIN_MS, type Trial } from './trial';

/** Returns true if every planted fault was found. */
export async function runTrials(options: FaultOptions, signal: AbortSignal): Promise<boolean> {
  const trials: Trial[] = [];
  for (const [index, fault] of PLANTED_FAULTS.entries()) {
    if (options.alone && !options.seeds.includes(index + 1)) continue;
    const trial = await tryOne(fault, index + 1, options, signal);
    const violated = trial.violated.length === 0 ? 'nothing' : trial.violated.join(', ');
    console.log(
      `planted ${index + 1}, ${fault.name}: ${trial.found ? 'found' : 'NOT FOUND'} (violated: ${violated})`,
    );
    trials.push(trial);
  }
  console.log(`\n${trialTable(trials)}\n`);
  if (options.jsonFile !== null) {
    await writeFile(options.jsonFile, `${JSON.stringify({ planted: trials }, null, 2)}\n`);
  }
  const missed = trials.filter(({ found }) => !found);
  for (const { name, evidence } of missed) console.log(`NOT FOUND: ${name}. Evidence: ${evidence}`);
  if (missed.length === 0) console.log('Every planted fault was found.');
  return missed.length === 0;
}

async function tryOne(
  fault: PlantedFault,
  number: number,
  { keep }: FaultOptions,
  signal: AbortSignal,
): Promise<Trial> {
  try {
    const result = await runSeed({
      plan: trialPlan(number, fault.needs),
      environment: process.env,
      say: progressLines(`planted ${number}`),
      onProgress: printProgress(process.stderr),
      // If the fault isn't found, the run passes, but its evidence is needed.
      keep: true,
      plantedSql: fault.sql,
      drainedWithinMs: TRIAL_DRAINED_WITHIN_MS,
      signal,
    });
    const trial = trialOf(fault, result);
    if (!trial.found || keep || result.evidenceFolder === null) return trial;
    await removeFolder(result.evidenceFolder);
    return { ...trial, evidence: null };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    console.log(`planted ${number}: no verdict: ${errorText(error)}`);
    const { name, invariant } = fault;
    return { name, invariant, found: false, violation: null, violated: [], evidence: null };
  }
}
