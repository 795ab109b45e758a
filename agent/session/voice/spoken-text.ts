/**
 * Converts written text to text for TTS: removes markup and emoji, and applies pronunciations. Transcripts and captions keep the written
 * text.
 */
import { ReadableStream } from 'node:stream/web';
import type { ResolvedConfig } from '../../../domain/agent-config';

/** The beginning of a link or a tag, which must not be split. */
const OPEN_LINK = /\[[^\]]*$|\[[^\]]*\]\([^)]*$|<\/?[a-z][^<>]*$/i;
const LINK = /!?\[([^\]]*)\]\([^)]*\)/g;
const ADDRESS = /<?https?:\/\/(?:www\.)?([^\s<>]+)>?/gi;
/** HTML tags for formatting. Speech tags such as `<break>` are left for the voice to interpret. */
const FORMAT_TAG =
  /<\/?(?:b|i|u|em|strong|br|hr|p|span|div|ul|ol|li|h[1-6]|small|mark|del|code|pre|table|tbody|thead|tr|td|th|a)(?:\s[^<>]*)?\/?>/gi;
const NO_BREAK_SPACE = /&nbsp;/gi;
const TABLE_RULE = /(^|\n)[ \t]*\|?(?:[ \t]*:?-{3,}:?[ \t]*\|?)+[ \t]*(?=\n|$)/g;
const TABLE_CELL = /[ \t]*\|[ \t]*/g;
const HEADING = /(^|\n)\s*(?:#{1,6}\s+|>\s+|[-+•‣◦▪]\s+)/g;
const EMPHASIS = /[*`~]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu;
const PICTURES =
  /[\p{Extended_Pictographic}\u{1F3FB}-\u{1F3FF}\u{1F1E6}-\u{1F1FF}\u{E0020}-\u{E007F}\u{200D}\u{20E3}\u{FE0E}\u{FE0F}]/gu;

export const plainWords = (text: string): string =>
  text
    .replace(LINK, '$1')
    .replace(ADDRESS, '$1')
    .replace(FORMAT_TAG, ' ')
    .replace(NO_BREAK_SPACE, ' ')
    .replace(TABLE_RULE, '$1')
    .replace(TABLE_CELL, ' ')
    .replace(HEADING, '$1')
    .replace(EMPHASIS, '')
    .replace(PICTURES, '');

const spokenText = (text: string, pairs: ReadonlyMap<string, string>): string =>
  pronounced(plainWords(text), pairs);

/** Converts a stream. Holds back text that may still become markup or match a pronunciation entry. */
export function spoken(
  text: AsyncIterable<string>,
  pairs: ReadonlyMap<string, string>,
): ReadableStream<string> {
  const spaces = Math.max(0, ...[...pairs.keys()].map((words) => words.split(/\s+/).length - 1));
  const openWords = new RegExp(`(?:\\S+\\s+){0,${spaces}}\\S*$`);
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

export function pronunciationsOf({ persona }: Pick<ResolvedConfig, 'persona'>): ReadonlyMap<string, string> {
  const pairs = Object.entries(persona.senses_capabilities.mouth.tts.word_pronunciation_pairs);
  const named = pairs.map(([word, spoken]) => [word.trim().toLowerCase(), spoken] as const);
  return new Map(named.filter(([word]) => word !== ''));
}

/** Replaces whole words in any case. Longer entries take precedence. */
export function pronounced(text: string, pairs: ReadonlyMap<string, string>): string {
  return pairs.size === 0
    ? text
    : text.replace(patternOf(pairs), (word) => pairs.get(word.toLowerCase()) ?? word);
}

/** Returns the first position after `at` where the text can be cut without splitting a pronunciation entry. */
function cutBetween(text: string, at: number, pairs: ReadonlyMap<string, string>): number {
  if (pairs.size === 0) return at;
  const across = [...text.matchAll(patternOf(pairs))].find(
    ({ index, 0: word }) => index < at && at < index + word.length,
  );
  return across === undefined ? at : across.index + across[0].length;
}

function patternOf(pairs: ReadonlyMap<string, string>): RegExp {
  const words = [...pairs.keys()].sort((one, other) => other.length - one.length).map(escaped);
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
}

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
