/** `npm run test:compose`: builds and starts the Compose deployment on a Docker engine and performs an operator's tasks. */
import { abortOnInterrupt } from '../../dev/demo/interruption';
import { exitWithError } from '../../dev/exit-with-error';
import { printProgress } from '../../dev/progress';
import { readCommandLine } from './command-line';
import { CannotRun } from './engine/cannot-run';
import { runCompose } from './run';
import { hasFailed, resultTable } from './steps';

const CANNOT_RUN = 2;

async function main(): Promise<number> {
  const options = readCommandLine(process.argv.slice(2));
  if (options === null) return 0;
  const stopping = new AbortController();
  abortOnInterrupt(stopping);
  const startedAt = performance.now();
  try {
    const results = await runCompose(options, printProgress(process.stderr), stopping.signal);
    console.log(resultTable(results));
    console.log(`${Math.round((performance.now() - startedAt) / 1000)} s in total`);
    return hasFailed(results) ? 1 : 0;
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    console.error(error.message);
    return CANNOT_RUN;
  }
}

main().then((status) => process.exit(status), exitWithError);
