import { errorText } from '../error-text';

/**
 * Runs `stop` once on SIGINT, SIGTERM or SIGHUP and then exits. A second signal exits immediately, and the watchdog stops the remaining
 * processes.
 */
export function onStopRequest(stop: () => Promise<void>): void {
  let asked = false;
  const request = () => {
    if (asked) process.exit(130);
    asked = true;
    console.error('\nStopping …');
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(errorText(error));
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, request);
}
