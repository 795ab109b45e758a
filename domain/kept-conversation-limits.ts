/** Limits for a kept conversation, shared by the API's checks and the console's form. */
export const KEPT_LIMITS = {
  conversations: 50,
  turns: 40,
  /** Maximum strings per expectation. */
  texts: 20,
  /** Maximum characters. */
  title: 200,
  /** Maximum characters. The agent ignores anything beyond. */
  typed: 4_000,
  /** Maximum characters of an expected string. */
  expected: 500,
  words: 10_000,
} as const;
