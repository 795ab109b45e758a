/** Logs the agent's processes. Log lines must not contain phone numbers, addresses or words of a conversation. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { valueAt } from '../domain/json';

const MAX_FRAMES = 5;

/** The part of pino's interface that the agent uses. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Returns the part of an error that is safe to log. A library's error message can contain an address, a phone number or words of the
 * conversation.
 */
export const errorName = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** Adds stack frames to the error name. Use it for unexpected errors. */
export const failureOf = (error: unknown): { error: string; frames: string[] } => ({
  error: errorName(error),
  frames: error instanceof Error ? (error.stack?.match(/^ +at .*$/gm) ?? []).slice(0, MAX_FRAMES) : [],
});

type FatalLog = Pick<Logger, 'fatal'>;

/**
 * Exits with status 1 on an uncaught error, and logs it without its message, which can contain a phone number or words of the conversation.
 * Returns the handler so that the entry point can use it too.
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
 * Silences LiveKit's participant SDK, which logs participant identities and thus callers' phone numbers. The SDK has no setting for this,
 * so this function loads the logger from the SDK's files, and throws when a newer release has moved it.
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
