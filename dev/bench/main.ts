/** `npm run bench`: what a call costs on this machine, against the budget of `docs/architecture.md`, and how lists grow. */
import { writeFile } from 'node:fs/promises';
import { abortOnInterrupt, Interrupted, INTERRUPTED_STATUS } from '../demo/interruption';
import { errorText } from '../error-code';
import { printProgress } from '../progress';
import { measureBudget, measureFull, type BenchRun } from './bench';
import { HELP, readCommandLine, type BenchOptions } from './command-line';
import { details } from './details';
import { listFigures, listTable } from './lists/list-figures';
import { measureLists } from './lists/measure-lists';
import { loadNow, machine, machineLine } from './machine';
import { table } from './table';

async function main(): Promise<void> {
  const options = readCommandLine(process.argv.slice(2));
  if (options === null) {
    console.log(HELP);
    return;
  }
  if (process.platform !== 'linux') throw new Error('npm run bench reads CPU times from /proc: Linux only');
  const stopping = new AbortController();
  abortOnInterrupt(stopping);
  await bench(options, {
    environment: process.env,
    say: (line) => console.error(line),
    onProgress: printProgress(process.stderr),
    signal: stopping.signal,
  });
}

async function bench(options: BenchOptions, run: BenchRun): Promise<void> {
  const loadBefore = loadNow();
  const budget = options.listsOnly ? null : await measureBudget(run);
  const full = options.full && !options.listsOnly ? await measureFull(run) : [];
  const lists = await measureLists(run);
  const callFigures = [...(budget?.figures ?? []), ...full];
  const measuredOn =
    budget?.machine ?? machine({ temporal: null, postgres: lists.postgresVersion }, loadBefore);
  console.log(`\n${machineLine(measuredOn)}`);
  console.log('Measured after a warm-up. The method of each figure: dev/bench/README.md\n');
  if (budget !== null) console.log(`${table(callFigures)}\n`);
  console.log(listTable(lists));
  if (options.details && budget !== null) console.log(`\n${details(budget)}`);
  if (options.jsonFile !== null) {
    const figures = [...callFigures, ...listFigures(lists)].map((each) => ({
      ...each,
      name: each.name.trim(),
    }));
    await writeFile(options.jsonFile, `${JSON.stringify({ machine: measuredOn, figures }, null, 2)}\n`);
  }
}

main().catch((error: unknown) => {
  if (error instanceof Interrupted) process.exit(INTERRUPTED_STATUS);
  console.error(errorText(error));
  process.exit(1);
});
