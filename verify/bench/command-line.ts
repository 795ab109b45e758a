import { readOptions, UsageFault } from '../../dev/options';
import { TEMPORAL_CHOICES, type TemporalChoice } from './choose-temporal';

/** What can be measured, in the order in which it is. */
export const PARTS = [
  'budget',
  'lists',
  'thousand',
  'heavy',
  'neighbours',
  'memory',
  'restart',
  'livekit',
  'voice',
  'turns',
  'interruptions',
  'captions',
  'bodies',
  'shares',
  'away',
  'ends',
  'begun',
  'graphile',
  'priority',
] as const;

export type Part = (typeof PARTS)[number];

const USUAL_PARTS: readonly Part[] = ['budget', 'lists'];

export interface BenchOptions {
  /** Where the figures go as JSON beside the table. */
  jsonFile: string | null;
  parts: readonly Part[];
  temporal: TemporalChoice;
  /** Also where statements and actions go. */
  details: boolean;
}

export const HELP = `Usage: npm run bench -- [options]

Measures the budget of one answered campaign call on a platform of its own, beside the same campaigns by the textbook program.
Then how long pages of lists take at 10 thousand and at 1 million calls. Takes about four minutes.

  --full           all parts: about 50 minutes
  --only PARTS     these parts, as in --only heavy,memory:
                     budget    one call's costs against the budget, about two minutes
                     lists     pages of lists, about two minutes
                     thousand  1,000 contacts on 20 lines, 10 s each, about nine minutes
                     heavy     50 campaigns at once; 100, 1,000 and 10,000 contacts on 40 lines, about eighteen minutes
                     neighbours  another client's idle lines beside 60 receivers that hang, about five minutes
                     memory    the worker with up to 1,000 live calls, about three minutes
                     restart   kill -9 of worker, API and servers: ready, and the next dial, about four minutes
                     livekit   dispatches and live calls over LiveKit, about three minutes; needs redis-server and the
                               built agent
                     voice     one, four and eight conversations with an agent, by their sound, about six minutes; needs the same
                               and Python 3.10 (local models)
                     turns     pauses in spoken sentences that the agent takes for the end, about three minutes; needs python3
                     interruptions  200 sounds over an agent that are none, and 50 that are, about nine minutes; needs python3
                     captions  listeners to live captions, about a minute
                     shares    a cheap request beside another organization's worst requests, about two minutes
                     bodies    how long another client waits while the worst bodies are sent, about two minutes
                     away      how long a 503 takes while Postgres or Temporal is away, about a minute
                     ends      calls that the database ends a second, of one client and of twenty, about two minutes
                     begun     calls begun a second where lines and carrier are no limit, about two minutes
                     graphile  the same campaign by a dialler on graphile-worker, and kill -9 of it, about three minutes
                     priority  dispatches beside another client's campaign of 10,000 contacts, about three minutes
  --lists          the same as --only lists
  --temporal KIND  postgres: the server that production runs, with its state in Postgres; dev: the development server;
                   auto (default): postgres where it can be had. It is built with Go the first time, about 3 minutes
  --json FILE      writes {"machine", "figures": [{"name", "value", "unit", "goal", "holds"}]} as well
  --details        also prints the statements and the actions of a call by kind
  --help           this text

Ends with status 0 also when a goal does not hold; 1 when it could not be measured.`;

/** Null for help. Throws a `UsageFault` that names an option, a part or a server that it does not know. */
export function readCommandLine(args: string[]): BenchOptions | null {
  const values = readOptions('npm run bench', args, {
    json: { type: 'string' },
    full: { type: 'boolean' },
    only: { type: 'string' },
    details: { type: 'boolean' },
    lists: { type: 'boolean' },
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

function partsOf({ full, only, lists }: { full?: boolean; only?: string; lists?: boolean }): readonly Part[] {
  if (only !== undefined) {
    const wanted = only.split(',').map((name) => oneOf(PARTS, name, '--only'));
    return PARTS.filter((part) => wanted.includes(part));
  }
  if (lists) return ['lists'];
  return full ? PARTS : USUAL_PARTS;
}

function oneOf<T extends string>(known: readonly T[], name: string, option: string): T {
  const found = known.find((each) => each === name);
  if (found === undefined) throw new UsageFault(`${option} takes ${known.join(', ')}, not '${name}'`);
  return found;
}
