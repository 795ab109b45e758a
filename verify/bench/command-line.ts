import { oneOf, someOf } from '../../api/admin/option-values';
import { commandOf, readOptions } from '../../dev/options';
import { TEMPORAL_CHOICES, type TemporalChoice } from './choose-temporal';

/** All measurements, in the order in which they run. */
export const PARTS = [
  'budget',
  'lists',
  'thousand',
  'neighbours',
  'shares',
  'begun',
  'ends',
  'livekit',
  'turns',
] as const;

export type Part = (typeof PARTS)[number];

const USUAL_PARTS: readonly Part[] = ['budget', 'lists'];

export interface BenchOptions {
  /** JSON file for the figures. */
  jsonFile: string | null;
  parts: readonly Part[];
  temporal: TemporalChoice;
  /** Also prints which statements and actions a call causes. */
  details: boolean;
}

const HELP = `
Parts of --only:
  budget      cost of one call, 2 minutes
  lists       pages of lists, 2 minutes
  thousand    1,000 contacts on 20 lines, 9 minutes
  neighbours  idle lines of an organization while another's 60 webhook receivers hang, 5 minutes
  shares      a cheap request while another organization sends its worst requests, 2 minutes
  begun       calls begun per second without a limit by lines or carrier, 2 minutes
  ends        calls that Postgres can end per second, 2 minutes
  livekit     dispatches and live calls over LiveKit, 3 minutes; needs redis-server and the built agent
  turns       pauses in speech that the agent mistakes for the end of a turn, 3 minutes; needs Python 3.10

The exit status is 1 if a part could not be measured. A goal that does not hold is no failure.`;

/** Returns null for `--help`. Throws a `UsageFault` that names the unknown option, part or server. */
export function readCommandLine(args: string[]): BenchOptions | null {
  const command = commandOf(
    'npm run bench --',
    'Measures what one answered campaign call costs, next to the textbook program on the same servers, and how long pages of lists take with 100 ' +
      'thousand and with 3 million calls. Takes about four minutes. Linux only.',
  )
    .option('--full', 'run all parts, about 32 minutes')
    .option('--only <parts>', 'run these parts, for example shares,ends', someOf(PARTS))
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
