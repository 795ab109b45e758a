/** `npm run demo`: one command dials a real contact file, end to end, on this machine. */
import { errorText } from '../error-text';
import { statusOf } from '../options';
import { HELP, readCommandLine } from './command-line';
import { abortOnInterrupt, Interrupted, INTERRUPTED_STATUS } from './interruption';
import { runDemo } from './run';
import { styleFor } from './style';

async function demo(exit: boolean): Promise<number> {
  const stopping = new AbortController();
  abortOnInterrupt(stopping);
  const { env: environment, stdout: out, stderr: err } = process;
  const style = styleFor(out, environment);
  let isDone = false;
  const onStayUp = () => (isDone = true);
  try {
    return (await runDemo({ environment, exit, out, err, style, stopping, onStayUp })) ? 0 : 1;
  } catch (error) {
    // What an aborted request or wait says of itself is no help; why it was aborted is.
    const reason: unknown = stopping.signal.aborted ? stopping.signal.reason : error;
    if (reason instanceof Interrupted) return isDone ? 0 : INTERRUPTED_STATUS;
    console.error(`\nThe demo failed: ${errorText(reason)}`);
    return 1;
  }
}

async function main(): Promise<number> {
  const options = readCommandLine(process.argv.slice(2));
  if (options !== null) return demo(options.exit);
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
