/** `npm run test:faults`: the proof that the campaign engine neither loses, duplicates nor overruns, whatever dies meanwhile. */
import { abortOnInterrupt } from '../../dev/demo/interruption';
import { exitWithError } from '../../dev/exit-with-error';
import { checkWritable } from '../../dev/options';
import { HELP, readCommandLine } from './command-line';
import { runSeeds } from './proof';
import { runTrials } from './trials';

async function main(): Promise<number> {
  const options = readCommandLine(process.argv.slice(2));
  if (options === null) {
    console.log(HELP);
    return 0;
  }
  // Now, not at the end of a long run.
  if (options.jsonFile !== null) await checkWritable('--json', options.jsonFile);
  const stopping = new AbortController();
  abortOnInterrupt(stopping);
  const run = options.planted ? runTrials : runSeeds;
  return (await run(options, stopping.signal)) ? 0 : 1;
}

main().then((status) => process.exit(status), exitWithError);
