import { errorCode } from '../../db/kernel/error-code';

/** A readable reason when a build tool is not installed; null for any other failure. */
export function missingCommand(error: unknown, command: string): string | null {
  return errorCode(error) === 'ENOENT' ? `${command} is not installed` : null;
}
