/** Strips punctuation, which speech recognition sets inconsistently, and collapses whitespace. Empty when the text has no words. */
export const bareWords = (text: string): string =>
  text
    .replace(/[^\p{L}\p{M}\p{N}\s]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
