import type { Logger } from 'pino';
import { failureOf } from './log';

type FatalLog = Pick<Logger, 'fatal'>;

/**
 * Logs an error that nothing caught without its message, and ends the process with status 1. Node would print the message, which may hold a
 * number or what was said. Returns how the process ends, for an error that is caught last.
 */
export function endAtUncaughtErrors(logNow: () => FatalLog): (error: unknown) => never {
  const end = (error: unknown): never => {
    logNow().fatal(failureOf(error), 'the process failed');
    process.exit(1);
  };
  process.on('uncaughtException', end);
  return end;
}
