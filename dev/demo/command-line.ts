import { commandOf, readOptions } from '../options';

/** Returns null for `--help`. Throws a `UsageFault` for an unknown option. */
export function readCommandLine(args: readonly string[]): { exit?: true } | null {
  const command = commandOf(
    'npm run demo --',
    'Starts the whole platform on this machine, dials a file of 60 contacts through a simulated carrier, and shows the result of each call. No phone rings.',
  )
    .option(
      '--exit',
      "exit after the report, with status 0 only if every contact ended as the simulator's script says; the last line is JSON",
    )
    .addHelpText(
      'after',
      '\nDATA_DIR, DATABASE_URL, TEMPORAL_ADDRESS and TEMPORAL_CLI_PATH work as for "npm start".',
    );
  return readOptions(command, args);
}
