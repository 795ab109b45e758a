import { errorCode } from '../../db/kernel/error-code';

/** Returns a readable reason if the command isn't installed, or null for any other error. */
export function missingCommand(error: unknown, command: string): string | null {
  return errorCode(error) === 'ENOENT' ? `${command} is not installed` : null;
}
