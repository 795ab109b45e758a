/** The log interface of the agent: pino's, or a part of it. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What the log may show of an error: the message of a library may contain an address, a number or what was said. */
export const errorName = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

const MOST_FRAMES = 5;

/** With the places in the code, for an error that nobody expected. */
export const failureOf = (error: unknown): { error: string; frames: string[] } => ({
  error: errorName(error),
  frames: error instanceof Error ? (error.stack?.match(/^ +at .*$/gm) ?? []).slice(0, MOST_FRAMES) : [],
});
