/**
 * `npm run test:faults`: checks that the campaign engine loses no contact, dials none twice and respects its limits while processes die.
 */
import { abortOnInterrupt } from '../../dev/demo/interruption';
import { exitWithError } from '../../dev/exit-with-error';
import { checkWritable } from '../../dev/options';
import { readCommandLine } from './command-line';
import { runSeeds } from './proof';
import { runTrials } from './trials';

async function main(): Promise<number> {
  const options = readCommandLine(process.argv.slice(2));
  if (options === null) return 0;
  // Checks this first, so that a long run doesn't fail only when it writes its result.
  if (options.jsonFile !== null) await checkWritable('--json', options.jsonFile);
  const stopping = new AbortController();
  abortOnInterrupt(stopping);
  const run = options.planted ? runTrials : runSeeds;
  return (await run(options, stopping.signal)) ? 0 : 1;
}

main().then((status) => process.exit(status), exitWithError);
