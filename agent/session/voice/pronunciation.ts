/** Pronunciations of words. Only TTS gets them; transcripts and captions don't. */
import type { ResolvedConfig } from '../../../domain/agent-config';

export function pronunciationsOf({ persona }: Pick<ResolvedConfig, 'persona'>): ReadonlyMap<string, string> {
  const pairs = Object.entries(persona.senses_capabilities.mouth.tts.word_pronunciation_pairs);
  const named = pairs.map(([word, spoken]) => [word.trim().toLowerCase(), spoken] as const);
  return new Map(named.filter(([word]) => word !== ''));
}

/** Replaces whole words in any case, the longest entries first. */
export function pronounced(text: string, pairs: ReadonlyMap<string, string>): string {
  return pairs.size === 0
    ? text
    : text.replace(patternOf(pairs), (word) => pairs.get(word.toLowerCase()) ?? word);
}

/** Returns the first position from `at` on where the text can be cut without splitting an entry. */
export function cutBetween(text: string, at: number, pairs: ReadonlyMap<string, string>): number {
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
