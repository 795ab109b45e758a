/** Logging in the agent's processes. Log lines contain no phone numbers, addresses or words of a conversation. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { valueAt } from '../domain/json';

const MOST_FRAMES = 5;

/** The part of pino's interface that the agent uses. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The part of an error that may be logged. A library's message can contain an address, a phone number or what was said. */
export const errorName = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** Adds stack frames, for unexpected errors. */
export const failureOf = (error: unknown): { error: string; frames: string[] } => ({
  error: errorName(error),
  frames: error instanceof Error ? (error.stack?.match(/^ +at .*$/gm) ?? []).slice(0, MOST_FRAMES) : [],
});

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

/**
 * Silences the log of LiveKit's participant SDK, whose lines contain participant identities and thus callers' phone numbers. The SDK has no
 * setting for this, so its logger is loaded from its files; throws when a newer release keeps it elsewhere.
 */
export function silenceParticipantSdk(): void {
  const requireHere = createRequire(__filename);
  const file = join(dirname(requireHere.resolve('@livekit/rtc-node')), 'log.cjs');
  const exported: unknown = requireHere(file);
  const log = valueAt(exported, 'log');
  if (typeof log !== 'object' || log === null || !('level' in log))
    throw new Error('the SDK no longer has its logger in log.cjs');
  log.level = 'silent';
}
