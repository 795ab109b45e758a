/** Tests the checker by running an engine with a planted fault, which the checker must find. */
import { writeFile } from 'node:fs/promises';
import { errorText } from '../../dev/error-text';
import { printProgress } from '../../dev/progress';
import { removeFolder } from '../../dev/remove-folder';
import { columns } from '../bench/figure';
import type { FaultOptions } from './command-line';
import { drawPlan, type Plan } from './plan/plan';
import { type Need, PLANTED_FAULTS, type PlantedFault } from './planted';
import { runSeed, type SeedResult } from './run-seed';

/** Prints lines with the name of the run and the time since its start. */
export function progressLines(run: string): (line: string) => void {
  const startedAt = performance.now();
  return (line) => {
    const seconds = (performance.now() - startedAt) / 1000;
    console.error(`${run}  ${seconds.toFixed(1).padStart(6)} s  ${line}`);
  };
}

interface Trial {
  name: string;
  invariant: number;
  /** True if the checker reported the invariant that the fault violates. */
  found: boolean;
  /** First violation of that invariant, or null. */
  violation: string | null;
  /** All violated invariants. */
  violated: number[];
  evidence: string | null;
}

/** A broken engine may never finish, so a trial waits only until a window could have opened. */
const TRIAL_DRAINED_WITHIN_MS = 60_000;

/** Numbers that are redialled until no attempts are left, and one whose response is lost. */
const REVEALING = [80, 85, 92, 93];

/** Returns a short plan with the conditions that the fault needs, and with contacts that are certain to be redialled. */
function trialPlan(seed: number, needs: readonly Need[]): Plan {
  const plan = drawPlan(seed, 'short');
  const has = (need: Need) => needs.includes(need);
  return {
    ...plan,
    campaigns: plan.campaigns.map((campaign, index) => ({
      ...campaign,
      endings: [...REVEALING, ...campaign.endings],
      ...(index === 1 && has('window') ? { window: 'opens' as const } : {}),
      ...(index === 1 && has('retryDelay') ? { retryDelayMins: 1 as const, maxRetries: 2 } : {}),
      ...(has('refusedWebhook') ? { callWebhook: '/flaky' as const } : {}),
    })),
  };
}

function trialOf({ name, invariant }: PlantedFault, { verdict, evidenceFolder }: SeedResult): Trial {
  const violated = verdict.invariants.filter(({ violations }) => violations.length > 0);
  const own = violated.find((each) => each.number === invariant);
  return {
    name,
    invariant,
    found: own !== undefined,
    violation: own?.violations[0] ?? null,
    violated: violated.map((each) => each.number),
    evidence: evidenceFolder,
  };
}

function trialTable(trials: readonly Trial[]): string {
  const rows = trials.map(({ name, invariant, found, violated }) => [
    String(invariant),
    name,
    found ? 'found' : 'NOT FOUND',
    violated.join(', '),
  ]);
  return columns([['invariant', 'planted fault', 'verdict', 'violated'], ...rows], [0]);
}

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
