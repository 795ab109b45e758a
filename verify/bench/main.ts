/** `npm run bench`: measures this machine against the budget in `budget-figures.ts`. */
import { writeFile } from 'node:fs/promises';
import { oneOf, someOf } from '../../api/admin/option-values';
import { abortOnInterrupt } from '../../dev/demo/interruption';
import { exitWithError } from '../../dev/exit-with-error';
import { checkWritable, commandOf, readOptions } from '../../dev/options';
import { printProgress } from '../../dev/progress';
import { type BenchRun, chooseTemporal, TEMPORAL_CHOICES, type TemporalChoice } from './bench-stack';
import { measureBeside } from './beside/measure-beside';
import { measureBudget } from './budget';
import { details } from './budget-figures';
import { measureContacts } from './contacts';
import { measureEnds } from './ends';
import { type Figure, table } from './figure';
import { measureLists } from './lists/measure-lists';
import { measureLiveCalls } from './live-calls';
import { measurePace } from './pace';
import { measurePhones } from './phones';
import { measureShares } from './shares';
import { measureTurns } from './turns/measure-turns';
import { loadNow, machine, machineLine } from './usage';

/** All measurements, in the order in which they run. */
const PARTS = ['budget', 'pace', 'phones', 'beside', 'lists', 'contacts', 'shares', 'voice'] as const;

type Part = (typeof PARTS)[number];

const USUAL_PARTS: readonly Part[] = ['budget', 'lists'];

interface BenchOptions {
  /** JSON file for the figures. */
  jsonFile: string | null;
  parts: readonly Part[];
  temporal: TemporalChoice;
  /** Also prints which statements and actions a call causes. */
  details: boolean;
}

const HELP = `
Parts of --only:
  budget  cost of one call, and ended calls per second, 4 minutes
  pace    calls begun per second, and the lines' idle time after one of two workers is killed, 3 minutes
  phones  idle line of calls over LiveKit with the SIP stand-in, 2 minutes; needs redis-server and the built agent
  beside  cost, idle line and the effect of kill -9, next to textbook Temporal, graphile-worker and pg-boss, 6 minutes
  lists   pages of lists, 2 minutes
  contacts
          import of a million contacts, claims from them, and appends to a campaign that dials, 4 minutes
  shares  idle lines of an organization while another's 60 webhook receivers hang, 5 minutes
  voice   pauses that the agent mistakes for the end of a turn, and the cost of a live call over LiveKit, 5 minutes; needs Python 3.10,
          redis-server and the built agent

The exit status is 1 if a part could not be measured. A missed goal isn't a failure.`;

/** Returns null for `--help`. Throws a `UsageFault` that names the unknown option, part or server. */
function readCommandLine(args: string[]): BenchOptions | null {
  const command = commandOf(
    'npm run bench --',
    'Measures what one answered campaign call costs, next to the textbook program on the same servers, and how long pages of lists take with 100 ' +
      'thousand and with 3 million calls. Takes about six minutes. Linux only.',
  )
    .option('--full', 'run all parts, about 31 minutes')
    .option('--only <parts>', 'run these parts, for example shares,voice', someOf(PARTS))
    .option(
      '--temporal <kind>',
      'postgres: the production server with its state in Postgres, built with Go on first use (3 minutes); dev: the development server; auto: postgres if available',
      oneOf(TEMPORAL_CHOICES),
      'auto',
    )
    .option(
      '--json <file>',
      'also write {"machine", "figures": [{"name", "value", "unit", "goal", "holds"}]}',
    )
    .option('--details', 'also print the SQL statements and Temporal actions of a call')
    .addHelpText('after', HELP);
  const values = readOptions<{
    full?: true;
    only?: Part[];
    temporal: TemporalChoice;
    json?: string;
    details?: true;
  }>(command, args);
  if (values === null) return null;
  const { full, only, temporal, json: jsonFile = null, details = false } = values;
  return { jsonFile, parts: only ?? (full ? PARTS : USUAL_PARTS), temporal, details };
}

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
  const needsTemporal = options.parts.some((part) => part !== 'lists');
  const temporalServer = needsTemporal ? await chooseTemporal(options.temporal, reader) : null;
  await bench(options, { ...reader, temporalServer });
}

/** Prints each part and writes it to the file as soon as it is measured, because a later part may fail. */
async function bench(options: BenchOptions, run: BenchRun): Promise<void> {
  const loadBefore = loadNow();
  console.log('Measured after a warm-up. verify/bench/README.md explains each figure.');
  let measuredOn = machine({ temporal: null, postgres: null }, loadBefore);
  const measured: Figure[] = [];
  const show = async (figures: readonly Figure[]): Promise<void> => {
    console.log(`\n${table(figures)}`);
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
      await show(await measureEnds(run));
    },
    pace: async () => {
      const pace = await measurePace(run);
      await show(pace.figures);
      console.log(`\nOn paper:\n\n${pace.onPaper}`);
    },
    phones: async () => show(await measurePhones(run)),
    beside: async () => {
      const beside = await measureBeside(run);
      await show(beside.figures);
      console.log(`\n${beside.table}`);
    },
    lists: async () => {
      const lists = await measureLists(run);
      measuredOn = { ...measuredOn, postgres: measuredOn.postgres ?? lists.postgresVersion };
      await show(lists.figures);
    },
    contacts: async () => show(await measureContacts(run)),
    shares: async () => show(await measureShares(run)),
    voice: async () => {
      await show(await measureTurns(run));
      await show(await measureLiveCalls(run));
    },
  };
  for (const part of PARTS.filter((each) => options.parts.includes(each))) await measure[part]();
  console.log(`\n${machineLine(measuredOn)}`);
}

main().catch(exitWithError);
