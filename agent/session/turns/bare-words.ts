/** The words of a text with one space between them: without punctuation, which recognisers set as they like. Empty where there are none. */
export const bareWords = (text: string): string =>
  text
    .replace(/[^\p{L}\p{M}\p{N}\s]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
