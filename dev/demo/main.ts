/** `npm run demo`: dials a contact file from end to end on this machine. */
import { errorText } from '../error-text';
import { statusOf } from '../options';
import { readCommandLine } from './command-line';
import { interruptibleStatus } from './interruption';
import { runDemo } from './run';
import { styleFor } from './style';

function demo(exit: boolean): Promise<number> {
  const { env: environment, stdout: out, stderr: err } = process;
  const style = styleFor(out, environment);
  return interruptibleStatus(
    (stopping, onStayUp) => runDemo({ environment, exit, out, err, style, stopping, onStayUp }),
    'The demo failed',
  );
}

async function main(): Promise<number> {
  const options = readCommandLine(process.argv.slice(2));
  return options === null ? 0 : demo(options.exit === true);
}

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    console.error(errorText(error));
    process.exit(statusOf(error));
  },
);
