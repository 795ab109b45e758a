import { errorCode } from '../../db/kernel/error-code';
import { createStandIn, readSettings, type StandInSettings } from './app';

async function start(settings: StandInSettings): Promise<void> {
  const standIn = createStandIn(settings);
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    void standIn.close().then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const port = await standIn.listen(settings.port);
  console.log(
    `sip stand-in listening on http://${settings.host}:${port}, in front of ${settings.livekitUrl}`,
  );
}

function main(): void {
  const read = readSettings(process.env);
  if ('faults' in read) {
    for (const fault of read.faults) console.error(`sip stand-in: ${fault}`);
    process.exitCode = 1;
    return;
  }
  const { port, host } = read.settings;
  start(read.settings).catch((error: unknown) => {
    const isTaken = errorCode(error) === 'EADDRINUSE';
    const taken = `port ${port} on ${host} is in use; set SIP_STAND_IN_PORT to a free port, or to 0 for any`;
    console.error(`sip stand-in: ${isTaken ? taken : String(error)}`);
    process.exit(1);
  });
}

main();
