import { DefaultLogger, Runtime } from '@temporalio/worker';

let installed = false;

/** Logs only errors, because a test server warns about every feature that it lacks. */
export function installQuietRuntime(): void {
  if (installed) return;
  installed = true;
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: 'error', forward: {} } },
  });
}
