/** Limits of a kept conversation, for the API's checks and the console's form. */
export const KEPT_LIMITS = {
  conversations: 50,
  turns: 40,
  /** Texts of one expectation. */
  texts: 20,
  /** Characters. */
  title: 200,
  /** Characters. The agent ignores anything beyond. */
  typed: 4_000,
  /** Characters of an expected text. */
  expected: 500,
  words: 10_000,
} as const;
