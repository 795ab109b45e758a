import { readOptions } from '../options';

export const HELP = `Usage: npm run demo [-- --exit]

Starts the whole platform on this machine, dials a file of 60 contacts through a
simulated carrier, and shows how each call went. No phone rings.

  --exit   end after the report: status 0 only if every contact ended as the
           simulator's script says; the last line is then JSON
  --help   this text

DATA_DIR, DATABASE_URL, TEMPORAL_ADDRESS and TEMPORAL_CLI_PATH are heeded as by "npm start".`;

/** Null for help. Throws a `UsageFault` that names an option it does not know. */
export function readCommandLine(args: readonly string[]): { exit: boolean } | null {
  const { exit = false, help } = readOptions('npm run demo', args, {
    exit: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  });
  return help ? null : { exit };
}
