/** End-of-turn detection by words: whether the speaker is in the middle of a sentence, a number or a spelled-out date. */
import type { llm } from '@livekit/agents';

/** A number with this many digits is complete: a phone number, with or without its country code, or a card number. */
const WHOLE_NUMBERS: ReadonlySet<number> = new Set([10, 11, 12, 13, 16]);
const DIGITS_BY_WORD = /\b(?:zero|one|two|three|four|five|six|seven|eight|nine|oh|double|triple)\b/gi;
/** A sentence continues after these words, in English and in both scripts of Hindi. */
const CONTINUES =
  /(?:^|\s)(?:and|or|but|because|so|if|then|the|a|an|to|of|for|with|my|is|are|um+|uh+|hmm+|er|like|aur|ya|lekin|kyunki|toh|ki|ka|ke|और|या|लेकिन|क्योंकि|तो|कि|मेरा|मेरी)[\s.…]*$/iu;

export function seemsIncomplete(words: string): boolean {
  const text = words.trim();
  if (text === '') return false;
  if (/[,:;–—-]$/.test(text) || /(?:\.\.\.|…)$/.test(text)) return true;
  if (CONTINUES.test(text)) return true;
  return endsWithinNumber(text);
}

function endsWithinNumber(text: string): boolean {
  const tail = /[\d\s-]+[.]?$/.exec(text)?.[0].replace(/\D/g, '') ?? '';
  if (tail.length >= 3) return !WHOLE_NUMBERS.has(tail.length);
  const spoken = text.match(DIGITS_BY_WORD)?.length ?? 0;
  return spoken >= 3 && !WHOLE_NUMBERS.has(spoken) && text.split(/\s+/).length - spoken <= 4;
}

/** Implements the SDK's turn detector interface: below the threshold, the SDK waits for the maximum endpointing delay. */
export class IncompleteEntryDetector {
  readonly model = 'incomplete-entries';
  readonly provider = 'platform';

  readonly unlikelyThreshold = (): Promise<number> => Promise.resolve(0.5);
  readonly supportsLanguage = (): Promise<boolean> => Promise.resolve(true);

  predictEndOfTurn({ items }: Pick<llm.ChatContext, 'items'>): Promise<number> {
    const last = items.at(-1);
    const words = last?.type === 'message' && last.role === 'user' ? (last.textContent ?? '') : '';
    return Promise.resolve(seemsIncomplete(words) ? 0 : 1);
  }
}
