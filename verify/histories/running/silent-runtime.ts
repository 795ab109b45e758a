import { DefaultLogger, Runtime } from '@temporalio/worker';

let installed = false;

/**
 * Silences the SDK in a process that replays, because a failed replay is a result that needs no log. Removes the SDK's signal handlers,
 * because they would make an interrupted replay look complete.
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
