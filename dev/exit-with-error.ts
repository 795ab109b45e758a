import { Interrupted, INTERRUPTED_STATUS } from './demo/interruption';
import { errorText } from './error-text';
import { statusOf } from './options';

/**
 * Ends a command that failed: silently with 130 if it was interrupted, otherwise with the error's message and 1, or 2 for a usage error.
 */
export function exitWithError(error: unknown): never {
  if (error instanceof Interrupted) process.exit(INTERRUPTED_STATUS);
  console.error(errorText(error));
  process.exit(statusOf(error));
}
