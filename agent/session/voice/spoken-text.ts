/** Converts written text to spoken text: markup and emoji are removed, and pronunciations applied. */
import { ReadableStream } from 'node:stream/web';
import { cutBetween, pronounced } from './pronunciation';

/** Text that must not be split: a link, and entries of several words. */
const OPEN_LINK = /\[[^\]]*$|\[[^\]]*\]\([^)]*$/;
const LINK = /\[([^\]]*)\]\([^)]*\)/g;
const HEADING = /(^|\n)\s*(?:#{1,6}\s+|>\s+|[-+]\s+)/g;
const EMPHASIS = /[*`~]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu;
const PICTURES = /[\p{Extended_Pictographic}\u{1F3FB}-\u{1F3FF}\u{200D}\u{FE0F}]/gu;

export const plainWords = (text: string): string =>
  text.replace(LINK, '$1').replace(HEADING, '$1').replace(EMPHASIS, '').replace(PICTURES, '');

export const spokenText = (text: string, pairs: ReadonlyMap<string, string>): string =>
  pronounced(plainWords(text), pairs);

/** Streams, holding back text that may still become markup or an entry. */
export function spoken(
  text: AsyncIterable<string>,
  pairs: ReadonlyMap<string, string>,
): ReadableStream<string> {
  const blanks = Math.max(0, ...[...pairs.keys()].map((words) => words.split(/\s+/).length - 1));
  const openWords = new RegExp(`(?:\\S+\\s+){0,${blanks}}\\S*$`);
  return ReadableStream.from(
    (async function* () {
      let kept = '';
      for await (const piece of text) {
        kept += piece;
        const open = OPEN_LINK.exec(kept)?.[0] ?? openWords.exec(kept)?.[0] ?? '';
        const cut = cutBetween(kept, kept.length - open.length, pairs);
        const whole = spokenText(kept.slice(0, cut), pairs);
        kept = kept.slice(cut);
        if (whole !== '') yield whole;
      }
      const rest = spokenText(kept, pairs);
      if (rest !== '') yield rest;
    })(),
  );
}
