export type DemoCommand =
  { kind: 'run'; exit: boolean } | { kind: 'help' } | { kind: 'unknown'; word: string };

export const HELP = `Usage: npm run demo [-- --exit]

Starts the whole platform on this machine, dials a file of 60 contacts through a
simulated carrier, and shows how each call went. No phone rings.

  --exit   end after the report: status 0 only if every contact ended as the
           simulator's script says; the last line is then JSON
  --help   this text

DATA_DIR, DATABASE_URL, TEMPORAL_ADDRESS and TEMPORAL_CLI_PATH are heeded as by "npm start".`;

export function readCommandLine(args: readonly string[]): DemoCommand {
  const unknown = args.find((word) => !['--exit', '--help', '-h'].includes(word));
  if (unknown !== undefined) return { kind: 'unknown', word: unknown };
  if (args.includes('--help') || args.includes('-h')) return { kind: 'help' };
  return { kind: 'run', exit: args.includes('--exit') };
}
