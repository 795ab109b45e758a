import { readOptions, UsageFault } from '../../dev/options';
import type { Telephony } from './plan/plan';

export interface FaultOptions {
  seeds: number[];
  /** Run only the seed of `--seed`. */
  alone: boolean;
  jsonFile: string | null;
  keep: boolean;
  planted: boolean;
  telephony: Telephony;
  /** Processes stall instead of dying. */
  stalls: boolean;
  /** Several processes of each kind. */
  replicas: boolean;
}

export const HELP = `Usage: npm run test:faults -- [options]

Runs whole platforms while a plan drawn from a seed kills processes, cuts links, drops answers, shuffles events and shifts clocks. A checker
then judges the logs of the carrier and the webhook receiver, and Postgres. Takes about a minute per seed.

  --seeds N     run seeds 1 to N (default 5), or N-M
  --seed S      run this seed only
  --json FILE   also write the scorecard to FILE
  --telephony livekit
                call over a real LiveKit server with agents and the SIP stand-in, and kill each of these processes
  --stalls      stall processes for seconds instead of killing them, give one a tenth of a processor for half a minute, and lock the row
                of an organization; a burst of dispatches precedes each fault
  --replicas    run three APIs behind a TCP balancer and three workers, over LiveKit two agents; kill and stall one of each kind, and
                restart all of them one after another during a campaign
  --keep        also keep the evidence of runs that passed
  --planted     run the engine with each planted fault instead, which the checker must find; with --seed S only the S-th fault
  --help        print this text

The exit status is 0 if every invariant held in every run, or with --planted if every planted fault was found.`;

const DEFAULT_SEEDS = 5;
const MOST = 100_000;

/** Returns null for `--help`. Throws a `UsageFault` that names the wrong option or value. */
export function readCommandLine(args: string[]): FaultOptions | null {
  const values = readOptions('npm run test:faults', args, {
    seeds: { type: 'string' },
    seed: { type: 'string' },
    json: { type: 'string' },
    keep: { type: 'boolean' },
    planted: { type: 'boolean' },
    telephony: { type: 'string', default: 'http' },
    stalls: { type: 'boolean', default: false },
    replicas: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  });
  if (values.help) return null;
  if (values.seed !== undefined && values.seeds !== undefined) {
    throw new UsageFault('--seed and --seeds cannot be combined');
  }
  const { telephony } = values;
  if (telephony !== 'http' && telephony !== 'livekit') {
    throw new UsageFault(`--telephony must be http or livekit, not "${telephony}"`);
  }
  if (values.planted === true && telephony !== 'http') {
    throw new UsageFault('--planted and --telephony livekit cannot be combined');
  }
  if (values.stalls && (values.planted === true || telephony !== 'http')) {
    throw new UsageFault('--stalls cannot be combined with --planted or --telephony livekit');
  }
  if (values.replicas && (values.planted === true || values.stalls)) {
    throw new UsageFault('--replicas cannot be combined with --planted or --stalls');
  }
  return {
    seeds:
      values.seed === undefined
        ? range(values.seeds ?? String(DEFAULT_SEEDS))
        : [whole('--seed', values.seed)],
    alone: values.seed !== undefined,
    jsonFile: values.json ?? null,
    keep: values.keep ?? false,
    planted: values.planted ?? false,
    telephony,
    stalls: values.stalls,
    replicas: values.replicas,
  };
}

/** `N` means 1 to N; `N-M` includes both ends. */
function range(text: string): number[] {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  const [first, last] = [whole('--seeds', from ?? '1'), whole('--seeds', to ?? text)];
  if (first > last) throw new UsageFault(`--seeds ${text}: the first seed must not be greater than the last`);
  return Array.from({ length: last - first + 1 }, (_none, index) => first + index);
}

function whole(option: string, text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > MOST) {
    throw new UsageFault(`${option} must be a whole number from 1 to ${MOST}, not "${text}"`);
  }
  return value;
}
