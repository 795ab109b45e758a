/** `npm run talk`: lets you talk to an agent on this machine. */
import { interruptibleStatus } from '../demo/interruption';
import { errorText } from '../error-text';
import { statusOf } from '../options';
import { readCommandLine } from './command-line';
import { runTalk } from './run';

function talk(exit: boolean): Promise<number> {
  const { env: environment, stdout: out, stderr: err } = process;
  return interruptibleStatus((stopping, onDone) => {
    // With --exit, the command is done when the conversation ends rather than when the platform is up.
    const onUp = exit ? () => undefined : onDone;
    return runTalk({ environment, exit, out, err, stopping, onUp });
  }, 'npm run talk failed');
}

async function main(): Promise<number> {
  const options = readCommandLine(process.argv.slice(2));
  return options === null ? 0 : talk(options.exit === true);
}

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    console.error(errorText(error));
    process.exit(statusOf(error));
  },
);
