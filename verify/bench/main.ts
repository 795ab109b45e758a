/** `npm run bench`: what a call costs on this machine, against its budget, and how lists grow. */
import { writeFile } from 'node:fs/promises';
import { abortOnInterrupt } from '../../dev/demo/interruption';
import { exitWithError } from '../../dev/exit-with-error';
import { checkWritable } from '../../dev/options';
import { printProgress } from '../../dev/progress';
import { measureAway } from './away';
import { measureBegun } from './begun';
import { measureBudget, measureThousand } from './bench';
import { bodyFigures, bodyTable } from './bodies/body-figures';
import { measureBodies } from './bodies/measure-bodies';
import { measureCaptions } from './captions';
import { chooseTemporal } from './choose-temporal';
import { HELP, PARTS, readCommandLine, type BenchOptions, type Part } from './command-line';
import { details } from './details';
import type { Figure } from './figure';
import { measureEnds } from './ends/measure-ends';
import { measureInterruptions } from './interruptions/measure-interruptions';
import { measureJobQueue } from './job-queue/measure-job-queue';
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
import { measureShares } from './shares';
import { table } from './table';
import { measurePriority } from './priority';
import { measureTurns } from './turns/measure-turns';
import { measureVoice } from './voice/measure-voice';

/** Those that need no Temporal. */
const BARE_PARTS: readonly Part[] = [
  'lists',
  'turns',
  'interruptions',
  'captions',
  'bodies',
  'shares',
  'away',
  'ends',
];

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

/** Parts that are shown as a table of their figures and no more. */
const MEASURES = {
  thousand: measureThousand,
  neighbours: measureNeighbours,
  memory: async (run) => memoryFigures(await measureMemory(run)),
  restart: async (run) => restartFigures(await measureRestarts(run)),
  livekit: measureOverLivekit,
  voice: measureVoice,
  turns: measureTurns,
  interruptions: measureInterruptions,
  captions: measureCaptions,
  shares: measureShares,
  away: measureAway,
  ends: measureEnds,
  begun: measureBegun,
  graphile: measureJobQueue,
  priority: measurePriority,
} satisfies Partial<Record<Part, (run: BenchRun) => Promise<Figure[]>>>;

const isPlain = (part: Part): part is keyof typeof MEASURES => part in MEASURES;

/** Each part is shown, and kept in the file, once it is measured: a later one may take long and fail. */
async function bench(options: BenchOptions, run: BenchRun): Promise<void> {
  const loadBefore = loadNow();
  console.log('Measured after a warm-up. The method of each figure: verify/bench/README.md');
  let measuredOn = machine({ temporal: null, postgres: null }, loadBefore);
  const measured: Figure[] = [];
  const show = async (tables: string[], figures: readonly Figure[]): Promise<void> => {
    for (const each of tables) console.log(`\n${each}`);
    measured.push(...figures.map((each) => ({ ...each, name: each.name.trim() })));
    if (options.jsonFile === null) return;
    const content = { machine: measuredOn, figures: measured };
    await writeFile(options.jsonFile, `${JSON.stringify(content, null, 2)}\n`);
  };
  const apart: Record<Exclude<Part, keyof typeof MEASURES>, () => Promise<void>> = {
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
    heavy: async () => {
      const { figures, growth } = await measureHeavy(run);
      await show([table(figures), growthTable(growth, HEAVY_LINES)], [...figures, ...flatGrowth(growth)]);
    },
    bodies: async () => {
      const measures = await measureBodies(run);
      await show([bodyTable(measures)], bodyFigures(measures));
    },
  };
  for (const part of PARTS.filter((each) => options.parts.includes(each))) {
    if (!isPlain(part)) await apart[part]();
    else {
      const figures = await MEASURES[part](run);
      await show([table(figures)], figures);
    }
  }
  console.log(`\n${machineLine(measuredOn)}`);
}

main().catch(exitWithError);
