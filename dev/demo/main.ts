/** `npm run demo`: dials a contact file from end to end on this machine. */
import { commandOf, readOptions } from '../options';
import { exitAfter } from '../exit-with-error';
import { interruptibleStatus } from './interruption';
import { runDemo } from './run';
import { styleFor } from './progress';

const COMMAND = commandOf(
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

async function main(): Promise<number> {
  const options = readOptions<{ exit?: true }>(COMMAND, process.argv.slice(2));
  if (options === null) return 0;
  const { env: environment, stdout: out, stderr: err } = process;
  const exit = options.exit ?? false;
  const style = styleFor(out, environment);
  return interruptibleStatus(
    (stopping, onStayUp) => runDemo({ environment, exit, out, err, style, stopping, onStayUp }),
    'The demo failed',
  );
}

exitAfter(main());
