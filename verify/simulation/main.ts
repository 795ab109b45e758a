/** `npm run test:simulation`: runs the engine in virtual time for many seeds. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { abortOnInterrupt } from '../../dev/demo/interruption';
import { exitWithError } from '../../dev/exit-with-error';
import { UsageFault } from '../../dev/options';
import { printProgress } from '../../dev/progress';
import { ClosingOrder } from '../../dev/stack/closing';
import { query } from '../../dev/stack/postgres';
import { repositoryRoot } from '../../dev/stack/repository';
import { startBareServers } from '../bench/bare-servers';
import { readCommandLine, type SimulationOptions } from './command-line';
import { changedActivities } from './changed-activities';
import { DIAL_MUTANTS } from './mutants';
import { changedBundle, PLANTED, plantedMutant, type PlantedSimulationFault } from './planted';
import { openLaboratory, type Laboratory } from './postgres/laboratory';
import { runSeeds, summaryLine } from './seeds';
import { runTrials, trialTable } from './trials';

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
  const laboratory = await openLaboratory(url, { codePath: BUNDLE });
  try {
    const summary = await runSeeds(laboratory, { ...options, say: console.log, signal });
    console.log(`\n${summaryLine(summary)}`);
    return summary.failed.length === 0 ? 0 : 1;
  } finally {
    await laboratory.close();
  }
}

async function tryPlanted(url: string, { seeds, only, story, mutants }: SimulationOptions): Promise<number> {
  let nth = 0;
  const open = async ({ sql, workflow, activities }: PlantedSimulationFault): Promise<Laboratory> => {
    const own = new URL(url);
    own.pathname = `/planted_${(nth += 1)}`;
    await query(url.replace(/\/simulation$/, '/platform'), (client) =>
      client.query(`create database planted_${nth} template simulation`),
    );
    const code = readFileSync(BUNDLE, 'utf8');
    const laboratory = await openLaboratory(
      own.href,
      { code: workflow === null ? code : changedBundle(code, workflow) },
      activities && changedActivities(activities),
    );
    for (const statement of sql) await laboratory.client.query(statement);
    return laboratory;
  };
  const all = mutants ? DIAL_MUTANTS.map(plantedMutant) : PLANTED;
  const faults = all.filter(({ name }) => name.includes(only ?? ''));
  if (faults.length === 0)
    throw new UsageFault(`--only ${only}: no planted fault or mutant has this in its name`);
  const trials = await runTrials({ seeds, open, say: console.log, faults, story });
  console.log(`\n${trialTable(trials)}`);
  return mutants || trials.every(({ seed }) => seed !== null) ? 0 : 1;
}

main().then((status) => process.exit(status), exitWithError);
