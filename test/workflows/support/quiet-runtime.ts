import { DefaultLogger, Runtime } from '@temporalio/worker';

let installed = false;

/** Only errors: what a test server cannot do is known. */
export function installQuietRuntime(): void {
  if (installed) return;
  installed = true;
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: 'error', forward: {} } },
  });
}
