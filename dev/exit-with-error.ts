import { Interrupted, INTERRUPTED_STATUS } from './demo/interruption';
import { errorText } from './error-text';
import { statusOf } from './options';

/** Ends a command that failed: 130 without a word where it was interrupted, else the error's text and 1, or 2 for a wrong option. */
export function exitWithError(error: unknown): never {
  if (error instanceof Interrupted) process.exit(INTERRUPTED_STATUS);
  console.error(errorText(error));
  process.exit(statusOf(error));
}
