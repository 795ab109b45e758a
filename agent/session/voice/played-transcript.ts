/** Average duration of a spoken character, similar in every language. */
const MS_A_CHARACTER = 65;

/**
 * Returns the part of interrupted words that was played, proportional to the audio and cut at a word's end. While TTS is still running, the
 * length of the whole audio is estimated.
 */
export function playedTranscript(
  words: string,
  { playedMs, capturedMs, isWhole }: { playedMs: number; capturedMs: number; isWhole: boolean },
): string {
  const soundMs = isWhole ? capturedMs : Math.max(capturedMs, words.length * MS_A_CHARACTER);
  if (soundMs <= 0 || playedMs <= 0) return '';
  const characters = Math.round(words.length * Math.min(1, playedMs / soundMs));
  if (characters >= words.length) return words.trim();
  const played = words.slice(0, characters);
  const isMidWord = /\S$/.test(played) && /^\S/.test(words.slice(characters));
  return (isMidWord ? played.replace(/\S+$/, '') : played).trim();
}
