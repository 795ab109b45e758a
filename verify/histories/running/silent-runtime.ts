import { DefaultLogger, Runtime } from '@temporalio/worker';

let installed = false;

/**
 * Makes the SDK silent in a process that replays, because a failed replay is a result and needs no log. Removes the SDK's signal handlers,
 * with which an interrupted replay would look complete.
 */
export function installSilentRuntime(): void {
  if (installed) return;
  installed = true;
  Runtime.install({
    logger: new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: { logging: { filter: 'error', forward: {} } },
    shutdownSignals: [],
  });
}
