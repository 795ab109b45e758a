import { errorText } from '../error-text';
import { commandOf, readOptions, statusOf } from '../options';
import { createSimulator } from './app';
import { explainStartFault, readSettings, type SimulatorSettings } from './settings';

async function start(settings: SimulatorSettings): Promise<void> {
  const simulator = createSimulator(settings);
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    void simulator.close().then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const port = await simulator.listen(settings.port);
  console.log(`simulator listening on http://${settings.host}:${port}`);
}

const COMMAND = commandOf(
  'npm run simulator --',
  'Runs a simulated carrier over HTTP. The last two digits of a number choose what happens (docs/carrier.md). Environment variables: ' +
    'CARRIER_SECRET (required), HOST, SIMULATOR_PORT, SIMULATOR_LOG, SIMULATOR_RING_MS, SIMULATOR_TALK_MS, SIMULATOR_RING_CAP_MS.',
);

function main(): void {
  if (readOptions(COMMAND, process.argv.slice(2)) === null) return;
  const read = readSettings(process.env);
  if ('faults' in read) {
    for (const fault of read.faults) console.error(`simulator: ${fault}`);
    process.exitCode = 1;
    return;
  }
  start(read.settings).catch((error: unknown) => {
    console.error(explainStartFault(error, read.settings));
    process.exit(1);
  });
}

try {
  main();
} catch (error) {
  console.error(errorText(error));
  process.exitCode = statusOf(error);
}
