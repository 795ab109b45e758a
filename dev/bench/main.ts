/** `npm run bench`: what a call costs on this machine, against its budget, and how lists grow. */
import { writeFile } from 'node:fs/promises';
import { abortOnInterrupt, Interrupted, INTERRUPTED_STATUS } from '../demo/interruption';
import { errorText } from '../error-text';
import { checkWritable, statusOf } from '../options';
import { printProgress } from '../progress';
import { measureAway } from './away';
import { measureBudget, measureThousand } from './bench';
import { bodyFigures, bodyTable } from './bodies/body-figures';
import { measureBodies } from './bodies/measure-bodies';
import { measureCaptions } from './captions';
import { chooseTemporal } from './choose-temporal';
import { HELP, PARTS, readCommandLine, type BenchOptions, type Part } from './command-line';
import { details } from './details';
import type { Figure } from './figure';
import { flatGrowth, growthTable } from './growth';
import { HEAVY_LINES, measureHeavy } from './heavy';
import { listFigures, listTable } from './lists/list-figures';
import { measureLists } from './lists/measure-lists';
import { loadNow, machine, machineLine } from './machine';
import { measureMemory, memoryFigures } from './memory';
import { measureNeighbours } from './neighbours';
import type { BenchRun } from './on-stack';
import { measureOverLivekit } from './over-livekit';
import { measureRestarts } from './restart/measure-restarts';
import { restartFigures } from './restart/restart-figures';
import { table } from './table';
import { measureVoice } from './voice/measure-voice';

/** Those that need no Temporal. */
const BARE_PARTS: readonly Part[] = ['lists', 'captions', 'bodies', 'away'];

async function main(): Promise<void> {
  const options = readCommandLine(process.argv.slice(2));
  if (options === null) {
    console.log(HELP);
    return;
  }
  if (process.platform !== 'linux') throw new Error('npm run bench reads CPU times from /proc: Linux only');
  // Now, not at the end of a long run.
  if (options.jsonFile !== null) await checkWritable('--json', options.jsonFile);
  const stopping = new AbortController();
  abortOnInterrupt(stopping);
  const reader = {
    environment: process.env,
    say: (line: string) => console.error(line),
    onProgress: printProgress(process.stderr),
    signal: stopping.signal,
  };
  const onTemporal = options.parts.some((part) => !BARE_PARTS.includes(part));
  const temporalServer = onTemporal ? await chooseTemporal(options.temporal, reader) : null;
  await bench(options, { ...reader, temporalServer });
}

/** Each part is shown, and kept in the file, once it is measured: a later one may take long and fail. */
async function bench(options: BenchOptions, run: BenchRun): Promise<void> {
  const loadBefore = loadNow();
  console.log('Measured after a warm-up. The method of each figure: dev/bench/README.md');
  let measuredOn = machine({ temporal: null, postgres: null }, loadBefore);
  const measured: Figure[] = [];
  const show = async (tables: string[], figures: readonly Figure[]): Promise<void> => {
    for (const each of tables) console.log(`\n${each}`);
    measured.push(...figures.map((each) => ({ ...each, name: each.name.trim() })));
    if (options.jsonFile === null) return;
    const content = { machine: measuredOn, figures: measured };
    await writeFile(options.jsonFile, `${JSON.stringify(content, null, 2)}\n`);
  };
  const parts: Record<Part, () => Promise<void>> = {
    budget: async () => {
      const budget = await measureBudget(run);
      measuredOn = budget.machine;
      await show([table(budget.figures), ...(options.details ? [details(budget)] : [])], budget.figures);
    },
    lists: async () => {
      const lists = await measureLists(run);
      measuredOn = { ...measuredOn, postgres: measuredOn.postgres ?? lists.postgresVersion };
      await show([listTable(lists)], listFigures(lists));
    },
    thousand: async () => {
      const figures = await measureThousand(run);
      await show([table(figures)], figures);
    },
    heavy: async () => {
      const { figures, growth } = await measureHeavy(run);
      await show([table(figures), growthTable(growth, HEAVY_LINES)], [...figures, ...flatGrowth(growth)]);
    },
    neighbours: async () => {
      const figures = await measureNeighbours(run);
      await show([table(figures)], figures);
    },
    memory: async () => {
      const figures = memoryFigures(await measureMemory(run));
      await show([table(figures)], figures);
    },
    restart: async () => {
      const figures = restartFigures(await measureRestarts(run));
      await show([table(figures)], figures);
    },
    livekit: async () => {
      const figures = await measureOverLivekit(run);
      await show([table(figures)], figures);
    },
    bodies: async () => {
      const measures = await measureBodies(run);
      await show([bodyTable(measures)], bodyFigures(measures));
    },
    away: async () => {
      const figures = await measureAway(run);
      await show([table(figures)], figures);
    },
    captions: async () => {
      const figures = await measureCaptions(run);
      await show([table(figures)], figures);
    },
    voice: async () => {
      const figures = await measureVoice(run);
      await show([table(figures)], figures);
    },
  };
  for (const part of PARTS) if (options.parts.includes(part)) await parts[part]();
  console.log(`\n${machineLine(measuredOn)}`);
}

main().catch((error: unknown) => {
  if (error instanceof Interrupted) process.exit(INTERRUPTED_STATUS);
  console.error(errorText(error));
  process.exit(statusOf(error));
});
