/** `npm run bench`: measures this machine against the budget in `figures.ts`. */
import { writeFile } from 'node:fs/promises';
import { abortOnInterrupt } from '../../dev/demo/interruption';
import { exitWithError } from '../../dev/exit-with-error';
import { checkWritable } from '../../dev/options';
import { printProgress } from '../../dev/progress';
import { measureBegun } from './begun';
import { measureBudget, measureThousand } from './bench';
import { chooseTemporal } from './choose-temporal';
import { PARTS, readCommandLine, type BenchOptions, type Part } from './command-line';
import { details } from './details';
import { measureEnds } from './ends/measure-ends';
import type { Figure } from './figure';
import { listFigures, listTable } from './lists/list-figures';
import { measureLists } from './lists/measure-lists';
import { loadNow, machine, machineLine } from './machine';
import { measureNeighbours } from './neighbours';
import type { BenchRun } from './on-stack';
import { measureOverLivekit } from './over-livekit';
import { measureShares } from './shares/measure-shares';
import { table } from './table';
import { measureTurns } from './turns/measure-turns';

const PARTS_WITHOUT_TEMPORAL: readonly Part[] = ['lists', 'shares', 'ends', 'turns'];

async function main(): Promise<void> {
  const options = readCommandLine(process.argv.slice(2));
  if (options === null) return;
  if (process.platform !== 'linux')
    throw new Error('npm run bench reads CPU times from /proc and needs Linux');
  // Checks this first, so that a long run doesn't fail only when it writes its result.
  if (options.jsonFile !== null) await checkWritable('--json', options.jsonFile);
  const stopping = new AbortController();
  abortOnInterrupt(stopping);
  const reader = {
    environment: process.env,
    say: (line: string) => console.error(line),
    onProgress: printProgress(process.stderr),
    signal: stopping.signal,
  };
  const needsTemporal = options.parts.some((part) => !PARTS_WITHOUT_TEMPORAL.includes(part));
  const temporalServer = needsTemporal ? await chooseTemporal(options.temporal, reader) : null;
  await bench(options, { ...reader, temporalServer });
}

/** Prints each part and writes it to the file as soon as it is measured, because a later part may fail. */
async function bench(options: BenchOptions, run: BenchRun): Promise<void> {
  const loadBefore = loadNow();
  console.log('Measured after a warm-up. verify/bench/README.md explains each figure.');
  let measuredOn = machine({ temporal: null, postgres: null }, loadBefore);
  const measured: Figure[] = [];
  const show = async (figures: readonly Figure[], text = table(figures)): Promise<void> => {
    console.log(`\n${text}`);
    measured.push(...figures.map((each) => ({ ...each, name: each.name.trim() })));
    if (options.jsonFile === null) return;
    const content = { machine: measuredOn, figures: measured };
    await writeFile(options.jsonFile, `${JSON.stringify(content, null, 2)}\n`);
  };
  const measure: Record<Part, () => Promise<void>> = {
    budget: async () => {
      const budget = await measureBudget(run);
      measuredOn = budget.machine;
      await show(budget.figures);
      if (options.details) console.log(`\n${details(budget)}`);
    },
    lists: async () => {
      const lists = await measureLists(run);
      measuredOn = { ...measuredOn, postgres: measuredOn.postgres ?? lists.postgresVersion };
      await show(listFigures(lists), listTable(lists));
    },
    thousand: async () => show(await measureThousand(run)),
    neighbours: async () => show(await measureNeighbours(run)),
    shares: async () => show(await measureShares(run)),
    begun: async () => show(await measureBegun(run)),
    ends: async () => show(await measureEnds(run)),
    livekit: async () => show(await measureOverLivekit(run)),
    turns: async () => show(await measureTurns(run)),
  };
  for (const part of PARTS.filter((each) => options.parts.includes(each))) await measure[part]();
  console.log(`\n${machineLine(measuredOn)}`);
}

main().catch(exitWithError);
