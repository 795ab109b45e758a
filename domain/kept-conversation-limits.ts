/** The most that a kept conversation may hold, as the API checks it and the console's form offers it. */
export const KEPT_LIMITS = {
  conversations: 50,
  turns: 40,
  /** Texts of one expectation. */
  texts: 20,
  /** Characters. */
  title: 200,
  /** Characters; the agent reads no more of what is typed. */
  typed: 4_000,
  /** Characters of an expected text. */
  expected: 500,
  words: 10_000,
} as const;
