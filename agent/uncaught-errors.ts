import type { Logger } from 'pino';
import { failureOf } from './log';

type FatalLog = Pick<Logger, 'fatal'>;

/**
 * Logs an uncaught error without its message, which can contain a phone number or what was said, and exits with status 1. Returns the
 * handler, for errors that are caught at the top.
 */
export function endAtUncaughtErrors(logNow: () => FatalLog): (error: unknown) => never {
  const end = (error: unknown): never => {
    logNow().fatal(failureOf(error), 'the process failed');
    process.exit(1);
  };
  process.on('uncaughtException', end);
  return end;
}
