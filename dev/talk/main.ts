/** `npm run talk`: one command, and a person talks to an agent on this machine. */
import { abortOnInterrupt, Interrupted, INTERRUPTED_STATUS } from '../demo/interruption';
import { errorText } from '../error-text';
import { statusOf } from '../options';
import { HELP, readCommandLine } from './command-line';
import { runTalk } from './run';

async function talk(exit: boolean): Promise<number> {
  const stopping = new AbortController();
  abortOnInterrupt(stopping);
  let isUp = false;
  try {
    const { env: environment, stdout: out, stderr: err } = process;
    return (await runTalk({ environment, exit, out, err, stopping, onUp: () => (isUp = true) })) ? 0 : 1;
  } catch (error) {
    // What an aborted request or wait says of itself is no help; why it was aborted is.
    const reason: unknown = stopping.signal.aborted ? stopping.signal.reason : error;
    if (reason instanceof Interrupted) return isUp && !exit ? 0 : INTERRUPTED_STATUS;
    console.error(`\nnpm run talk failed: ${errorText(reason)}`);
    return 1;
  }
}

async function main(): Promise<number> {
  const options = readCommandLine(process.argv.slice(2));
  if (options !== null) return talk(options.exit);
  console.log(HELP);
  return 0;
}

main().then(
  (status) => process.exit(status),
  (error: unknown) => {
    console.error(errorText(error));
    process.exit(statusOf(error));
  },
);
