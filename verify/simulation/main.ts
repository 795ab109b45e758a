/** `npm run test:simulation`: runs the engine in virtual time for many seeds. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { abortOnInterrupt } from '../../dev/demo/interruption';
import { exitWithError } from '../../dev/exit-with-error';
import { commandOf, readOptions, UsageFault } from '../../dev/options';
import { printProgress } from '../../dev/progress';
import { ClosingOrder } from '../../dev/stack/closing';
import { query } from '../../dev/stack/postgres';
import { repositoryRoot } from '../../dev/stack/repository';
import { startBareServers } from '../bench/bare-servers';
import { columns } from '../bench/figure';
import { seedOption, seedsOf, seedsOption } from '../faults/command-line';
import { changedActivities } from './changed-activities';
import type { Violation } from './judge';
import { DIAL_MUTANTS } from './mutants';
import { drawSimulation } from './plan/draw';
import { activityNames } from './platform/worker';
import { changedBundle, planFor, PLANTED, plantedMutant } from './planted';
import type { PlantedSimulationFault } from './planted-fault';
import { type Laboratory, openLaboratory } from './postgres/laboratory';
import { WorkflowCode } from './temporal/instance';
import { runSimulation } from './run-simulation';
import { reduced, runSeeds, summaryLine } from './seeds';

interface SimulationOptions {
  seeds: number[];
  planted: boolean;
  /** Runs the mutants of the dialling code instead of the planted faults. */
  mutants: boolean;
  /** Runs only planted faults with this text in their name; null runs all. */
  only: string | null;
  story: boolean;
  twice: boolean;
}

const DEFAULT_SEEDS = '20';
const MAX = 1_000_000;

/** Returns null for `--help`. Throws a `UsageFault` that names the invalid option or value. */
function readCommandLine(args: string[]): SimulationOptions | null {
  const command = commandOf(
    'npm run test:simulation --',
    'Runs the engine in virtual time: the real SQL functions, workflows and activities under one scheduler that a seed controls, with faults ' +
      'between any two steps. A failed seed is reduced to the fewest events and printed as a story.',
  )
    .addOption(seedOption(MAX))
    .addOption(seedsOption(MAX, DEFAULT_SEEDS))
    .option(
      '--story',
      'print the story of every run; with --planted, of the reduced seed that found a fault',
      false,
    )
    .option('--twice', 'run each seed twice and compare', false)
    .option('--planted', 'run the engine with each planted fault instead, which the seeds must find', false)
    .option(
      '--mutants',
      'run the engine with each mutant of the dialling code instead, and print which are found',
      false,
    )
    .option('--only <text>', 'with --planted or --mutants: only those with this text in their name')
    .addHelpText(
      'after',
      '\nThe exit status is 0 if every invariant held in every run, or with --planted if every planted fault was found.',
    );
  const values = readOptions<
    Omit<SimulationOptions, 'seeds' | 'only'> & { seeds?: number[]; seed?: number; only?: string }
  >(command, args);
  if (values === null) return null;
  const { seed, seeds = seedsOf(MAX)(DEFAULT_SEEDS), only = null, ...others } = values;
  if (only !== null && !others.planted && !others.mutants)
    throw new UsageFault('--only needs --planted or --mutants');
  return { ...others, seeds: seed === undefined ? seeds : [seed], only };
}

interface SimulationTrial {
  name: string;
  invariant: number | null;
  /** First seed that violated the invariant, or null. */
  seed: number | null;
  violation: string | null;
  /** Real time since the start of the first seed. */
  realMs: number;
}

async function tryOne(
  laboratory: Laboratory,
  fault: PlantedSimulationFault,
  seeds: readonly number[],
): Promise<SimulationTrial> {
  const { name, invariant } = fault;
  const startedAt = performance.now();
  const trial = (found: Pick<SimulationTrial, 'seed' | 'violation'>): SimulationTrial => ({
    name,
    invariant,
    ...found,
    realMs: performance.now() - startedAt,
  });
  for (const seed of seeds) {
    const { violations } = await runSimulation(laboratory, planFor(fault, drawSimulation(seed)));
    const own = violations.find(isOf(invariant));
    if (own !== undefined) return trial({ seed, violation: own.sentence });
  }
  return trial({ seed: null, violation: null });
}

const isOf =
  (invariant: number | null) =>
  ({ sentence }: Violation): boolean =>
    invariant === null || sentence.startsWith(`${invariant}.`);

const storyOfTrial = (
  laboratory: Laboratory,
  fault: PlantedSimulationFault,
  { seed, violation }: Found,
): Promise<string> =>
  reduced(laboratory, planFor(fault, drawSimulation(seed)), {
    violations: [{ atMs: null, sentence: violation }],
  });

type Found = SimulationTrial & { seed: number; violation: string };

const isFound = (trial: SimulationTrial): trial is Found => trial.seed !== null && trial.violation !== null;

const foundBy = ({ seed }: SimulationTrial): string =>
  seed === null ? 'NOT FOUND' : `found by seed ${seed}`;

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

function trialTable(trials: readonly SimulationTrial[]): string {
  const rows = trials.map((trial) => [
    trial.violation?.split('.')[0] ?? String(trial.invariant ?? 'any'),
    trial.name,
    foundBy(trial),
    seconds(trial.realMs),
  ]);
  return columns([['invariant', 'planted fault', 'verdict', 'after'], ...rows], [0, 3]);
}

const BUNDLE = join(repositoryRoot(), 'dist', 'workflow-bundle.js');

async function main(): Promise<number> {
  const options = readCommandLine(process.argv.slice(2));
  if (options === null) return 0;
  const stopping = new AbortController();
  abortOnInterrupt(stopping);
  const closing = new ClosingOrder();
  try {
    const servers = await startBareServers({
      environment: process.env,
      onProgress: printProgress(process.stderr),
      onUnexpectedEnd: (reason) => stopping.abort(new Error(reason)),
      closing,
    });
    const url = await servers.createDatabase('simulation');
    return options.planted || options.mutants
      ? await tryPlanted(url, options)
      : await run(url, options, stopping.signal);
  } finally {
    await closing.close();
  }
}

async function run(url: string, options: SimulationOptions, signal: AbortSignal): Promise<number> {
  const laboratory = await openLaboratory(
    url,
    await WorkflowCode.load(readFileSync(BUNDLE, 'utf8'), activityNames()),
  );
  try {
    const summary = await runSeeds(laboratory, { ...options, say: console.log, signal });
    console.log(`\n${summaryLine(summary)}`);
    return summary.failed.length === 0 ? 0 : 1;
  } finally {
    await laboratory.close();
  }
}

/** Runs engines with one planted fault each until a seed finds it. */
async function tryPlanted(url: string, { seeds, only, story, mutants }: SimulationOptions): Promise<number> {
  const all = mutants ? DIAL_MUTANTS.map(plantedMutant) : PLANTED;
  const faults = all.filter(({ name }) => name.includes(only ?? ''));
  if (faults.length === 0)
    throw new UsageFault(`--only ${only}: no planted fault or mutant has this in its name`);
  const bundle = readFileSync(BUNDLE, 'utf8');
  const unchanged = await WorkflowCode.load(bundle, activityNames());
  const open = async (
    { sql, workflow, activities }: PlantedSimulationFault,
    database: string,
  ): Promise<Laboratory> => {
    const own = new URL(url);
    own.pathname = `/${database}`;
    await query(url.replace(/\/simulation$/, '/platform'), (client) =>
      client.query(`create database ${database} template simulation`),
    );
    const laboratory = await openLaboratory(
      own.href,
      workflow === null
        ? unchanged
        : await WorkflowCode.load(changedBundle(bundle, workflow), activityNames()),
      activities && changedActivities(activities),
    );
    for (const statement of sql) await laboratory.client.query(statement);
    return laboratory;
  };
  const trials: SimulationTrial[] = [];
  for (const [nth, fault] of faults.entries()) {
    const laboratory = await open(fault, `planted_${nth + 1}`);
    try {
      const trial = await tryOne(laboratory, fault, seeds);
      console.log(`${fault.name}: ${foundBy(trial)} in ${seconds(trial.realMs)}`);
      trials.push(trial);
      if (story && isFound(trial)) console.log(await storyOfTrial(laboratory, fault, trial));
    } finally {
      await laboratory.close();
    }
  }
  console.log(`\n${trialTable(trials)}`);
  return mutants || trials.every(({ seed }) => seed !== null) ? 0 : 1;
}

main().then((status) => process.exit(status), exitWithError);
