/** The part of pino's interface that the agent uses. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The part of an error that may be logged. A library's message can contain an address, a phone number or what was said. */
export const errorName = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

const MOST_FRAMES = 5;

/** Adds stack frames, for unexpected errors. */
export const failureOf = (error: unknown): { error: string; frames: string[] } => ({
  error: errorName(error),
  frames: error instanceof Error ? (error.stack?.match(/^ +at .*$/gm) ?? []).slice(0, MOST_FRAMES) : [],
});
