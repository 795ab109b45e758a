/** `npm run bench`: what a call costs on this machine, against its budget, and how lists grow. */
import { access, constants, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { abortOnInterrupt, Interrupted, INTERRUPTED_STATUS } from '../demo/interruption';
import { errorText } from '../error-code';
import { printProgress } from '../progress';
import { measureBudget, measureThousand } from './bench';
import { chooseTemporal } from './choose-temporal';
import { HELP, readCommandLine, type BenchOptions, type Part } from './command-line';
import { details } from './details';
import { flatGrowth, growthTable } from './growth';
import { HEAVY_LINES, measureHeavy } from './heavy';
import { listFigures, listTable } from './lists/list-figures';
import { measureLists } from './lists/measure-lists';
import { loadNow, machine, machineLine } from './machine';
import { measureMemory, memoryFigures } from './memory';
import type { BenchRun } from './on-stack';
import { table } from './table';

async function main(): Promise<void> {
  const options = readCommandLine(process.argv.slice(2));
  if (options === null) {
    console.log(HELP);
    return;
  }
  if (process.platform !== 'linux') throw new Error('npm run bench reads CPU times from /proc: Linux only');
  // Now, not at the end of a long run.
  if (options.jsonFile !== null) await access(dirname(options.jsonFile), constants.W_OK);
  const stopping = new AbortController();
  abortOnInterrupt(stopping);
  const reader = {
    environment: process.env,
    say: (line: string) => console.error(line),
    onProgress: printProgress(process.stderr),
    signal: stopping.signal,
  };
  const onTemporal = options.parts.some((part) => part !== 'lists');
  const temporalServer = onTemporal ? await chooseTemporal(options.temporal, reader) : null;
  await bench(options, { ...reader, temporalServer });
}

async function bench(options: BenchOptions, run: BenchRun): Promise<void> {
  const loadBefore = loadNow();
  const asked = <T>(part: Part, measure: () => Promise<T>): Promise<T> | null =>
    options.parts.includes(part) ? measure() : null;
  const budget = await asked('budget', () => measureBudget(run));
  const lists = await asked('lists', () => measureLists(run));
  const thousand = await asked('thousand', () => measureThousand(run));
  const heavy = await asked('heavy', () => measureHeavy(run));
  const memory = await asked('memory', () => measureMemory(run));

  const callFigures = [
    ...(budget?.figures ?? []),
    ...(thousand ?? []),
    ...(heavy?.figures ?? []),
    ...(memory === null ? [] : memoryFigures(memory)),
  ];
  const measuredOn =
    budget?.machine ?? machine({ temporal: null, postgres: lists?.postgresVersion ?? null }, loadBefore);
  console.log(`\n${machineLine(measuredOn)}`);
  console.log('Measured after a warm-up. The method of each figure: dev/bench/README.md');
  if (callFigures.length > 0) console.log(`\n${table(callFigures)}`);
  if (heavy !== null) console.log(`\n${growthTable(heavy.growth, HEAVY_LINES)}`);
  if (lists !== null) console.log(`\n${listTable(lists)}`);
  if (options.details && budget !== null) console.log(`\n${details(budget)}`);
  if (options.jsonFile === null) return;
  const figures = [
    ...callFigures,
    ...flatGrowth(heavy?.growth ?? []),
    ...(lists === null ? [] : listFigures(lists)),
  ].map((each) => ({ ...each, name: each.name.trim() }));
  await writeFile(options.jsonFile, `${JSON.stringify({ machine: measuredOn, figures }, null, 2)}\n`);
}

main().catch((error: unknown) => {
  if (error instanceof Interrupted) process.exit(INTERRUPTED_STATUS);
  console.error(errorText(error));
  process.exit(1);
});
