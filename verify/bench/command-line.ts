import { readOptions, UsageFault } from '../../dev/options';
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
  /** File for the figures as JSON. */
  jsonFile: string | null;
  parts: readonly Part[];
  temporal: TemporalChoice;
  /** Also print which statements and actions a call causes. */
  details: boolean;
}

export const HELP = `Usage: npm run bench -- [options]

Measures what one answered campaign call costs, next to the textbook program on the same servers, and how long pages of lists take with
100 thousand and with 3 million calls. Takes about four minutes. Linux only.

  --full           run all parts, about 32 minutes
  --only PARTS     run these parts, for example --only shares,ends:
                     budget      cost of one call, 2 minutes
                     lists       pages of lists, 2 minutes
                     thousand    1,000 contacts on 20 lines, 9 minutes
                     neighbours  idle lines of an organization while another's 60 webhook receivers hang, 5 minutes
                     shares      a cheap request while another organization sends its worst requests, 2 minutes
                     begun       calls begun per second without a limit by lines or carrier, 2 minutes
                     ends        calls that Postgres can end per second, 2 minutes
                     livekit     dispatches and live calls over LiveKit, 3 minutes; needs redis-server and the built agent
                     turns       pauses in speech that the agent mistakes for the end of a turn, 3 minutes; needs Python 3.10
  --temporal KIND  postgres: the production server with its state in Postgres, built with Go on first use (3 minutes);
                   dev: the development server; auto (default): postgres if available
  --json FILE      also write {"machine", "figures": [{"name", "value", "unit", "goal", "holds"}]} to FILE
  --details        also print the SQL statements and Temporal actions of a call
  --help           print this text

The exit status is 1 if a part could not be measured. A goal that does not hold is no failure.`;

/** Returns null for `--help`. Throws a `UsageFault` that names an unknown option, part or server. */
export function readCommandLine(args: string[]): BenchOptions | null {
  const values = readOptions('npm run bench', args, {
    json: { type: 'string' },
    full: { type: 'boolean' },
    only: { type: 'string' },
    details: { type: 'boolean' },
    temporal: { type: 'string', default: 'auto' },
    help: { type: 'boolean', short: 'h' },
  });
  if (values.help) return null;
  return {
    jsonFile: values.json ?? null,
    parts: partsOf(values),
    temporal: oneOf(TEMPORAL_CHOICES, values.temporal, '--temporal'),
    details: values.details ?? false,
  };
}

function partsOf({ full, only }: { full?: boolean; only?: string }): readonly Part[] {
  if (only !== undefined) {
    const wanted = only.split(',').map((name) => oneOf(PARTS, name, '--only'));
    return PARTS.filter((part) => wanted.includes(part));
  }
  return full ? PARTS : USUAL_PARTS;
}

function oneOf<T extends string>(known: readonly T[], name: string, option: string): T {
  const found = known.find((each) => each === name);
  if (found === undefined)
    throw new UsageFault(`${option} must be one of ${known.join(', ')}, not '${name}'`);
  return found;
}
