import { createSimulator } from './app';
import { readSettings, type SimulatorSettings } from './settings';
import { explainStartFault } from './start-fault';

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

function main(): void {
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

main();
