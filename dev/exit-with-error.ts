import { Interrupted, INTERRUPTED_STATUS } from './demo/interruption';
import { errorText } from './error-text';
import { statusOf } from './options';

/**
 * Ends a failed command: silently with status 130 if the user interrupted it, with 2 after a usage error, and with 1 after any other error.
 */
export function exitWithError(error: unknown): never {
  if (error instanceof Interrupted) process.exit(INTERRUPTED_STATUS);
  console.error(errorText(error));
  process.exit(statusOf(error));
}

/** Ends the process with the status that the command resolves to. */
export function exitAfter(command: Promise<number>): void {
  command.then((status) => process.exit(status), exitWithError);
}
