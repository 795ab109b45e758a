import { DefaultLogger, Runtime } from '@temporalio/worker';

let installed = false;

/**
 * Of a process that replays: what is refused is a result, so it need not be printed too. Without the SDK's own handlers of signals, at
 * which a replay would end as if all histories had been replayed.
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
