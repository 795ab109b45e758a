import { errorText } from '../error-text';

/**
 * Runs `stop` once on Ctrl-C, SIGTERM or the end of the terminal, and then ends the process. A second request
 * ends it at once; the watchdog then stops what is left.
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
