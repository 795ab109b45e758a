import { InvalidArgumentError, Option } from 'commander';
import { oneOf, wholeNumber } from '../../api/admin/option-values';
import { commandOf, readOptions, UsageFault } from '../../dev/options';
import type { Telephony } from './plan/plan';

export interface FaultOptions {
  seeds: number[];
  /** Runs only the seed given with `--seed`. */
  alone: boolean;
  jsonFile: string | null;
  keep: boolean;
  planted: boolean;
  telephony: Telephony;
  /** Stalls processes instead of killing them. */
  stalls: boolean;
  /** Runs several processes of each kind. */
  replicas: boolean;
}

const DEFAULT_SEEDS = '5';
const MAX = 100_000;

/** Returns null for `--help`. Throws a `UsageFault` that names the invalid option or value. */
export function readCommandLine(args: string[]): FaultOptions | null {
  const command = commandOf(
    'npm run test:faults --',
    'Runs whole platforms while a plan drawn from a seed kills processes, cuts links, drops answers, shuffles events and shifts clocks. A checker then ' +
      'judges the logs of the carrier and the webhook receiver, and Postgres. Takes about a minute per seed.',
  )
    .addOption(seedOption(MAX))
    .addOption(seedsOption(MAX, DEFAULT_SEEDS))
    .option('--json <file>', 'also write the scorecard to this file')
    .option(
      '--telephony <kind>',
      'with livekit, call over a real LiveKit server with agents and the SIP stand-in, and kill each of these processes',
      oneOf(['http', 'livekit']),
      'http',
    )
    .addOption(
      new Option(
        '--stalls',
        'stall processes for seconds instead of killing them, give one a tenth of a processor for half a minute, and lock the row of an organization; a burst of dispatches precedes each fault',
      )
        .default(false)
        .conflicts('planted'),
    )
    .addOption(
      new Option(
        '--replicas',
        'run three APIs behind a TCP balancer and three workers, over LiveKit two agents; kill and stall one of each kind, and restart all of them one after another during a campaign',
      )
        .default(false)
        .conflicts(['planted', 'stalls']),
    )
    .option('--keep', 'also keep the evidence of runs that passed', false)
    .option(
      '--planted',
      'run the engine with each planted fault instead, which the checker must find; with --seed S only the S-th fault',
      false,
    )
    .addHelpText(
      'after',
      '\nThe exit status is 0 if every invariant held in every run, or with --planted if every planted fault was found.',
    );
  const values = readOptions<
    Omit<FaultOptions, 'seeds' | 'alone' | 'jsonFile'> & { seeds?: number[]; seed?: number; json?: string }
  >(command, args);
  if (values === null) return null;
  const { seed, seeds = seedsOf(MAX)(DEFAULT_SEEDS), json: jsonFile = null, ...others } = values;
  if (others.telephony === 'livekit' && (others.planted || others.stalls)) {
    throw new UsageFault('--telephony livekit cannot be combined with --planted or --stalls');
  }
  return { ...others, seeds: seed === undefined ? seeds : [seed], alone: seed !== undefined, jsonFile };
}

export const seedOption = (max: number): Option =>
  new Option('--seed <s>', 'run this seed only').argParser(wholeNumber(1, max)).conflicts('seeds');

export const seedsOption = (max: number, shownDefault: string): Option =>
  new Option('--seeds <range>', `run seeds 1 to N, or M to N with M-N; default ${shownDefault}`).argParser(
    seedsOf(max),
  );

/** `N` means 1 to N. `M-N` includes both ends. */
export const seedsOf =
  (max: number) =>
  (text: string): number[] => {
    const [, from = '1', to = text] = /^(\d+)-(\d+)$/.exec(text) ?? [];
    const seed = wholeNumber(1, max);
    const [first, last] = [seed(from), seed(to)];
    if (first > last) throw new InvalidArgumentError('must start with the smaller seed');
    return Array.from({ length: last - first + 1 }, (_none, index) => first + index);
  };
