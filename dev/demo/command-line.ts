import { readOptions } from '../options';

export const HELP = `Usage: npm run demo [-- --exit]

Starts the whole platform on this machine, dials a file of 60 contacts through a
simulated carrier, and shows the result of each call. No phone rings.

  --exit   exit after the report, with status 0 only if every contact ended as the
           simulator's script says; the last line is JSON
  --help   show this help

DATA_DIR, DATABASE_URL, TEMPORAL_ADDRESS and TEMPORAL_CLI_PATH work as for "npm start".`;

/** Returns null for `--help`. Throws a `UsageFault` for an unknown option. */
export function readCommandLine(args: readonly string[]): { exit: boolean } | null {
  const { exit = false, help } = readOptions('npm run demo', args, {
    exit: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  });
  return help ? null : { exit };
}
