export const SPEAKERS = ['agent', 'user'] as const;
export type Speaker = (typeof SPEAKERS)[number];

/** An utterance with its times in milliseconds since the answer. This is a type because an interface has no index signature. */
export type TranscriptSegment = { speaker: Speaker; text: string; startMs: number; endMs: number };

/** Formats the transcript for API clients with one line per segment, in the order of speech, labelled with the speaker. */
export function transcriptText(segments: readonly Omit<TranscriptSegment, 'endMs'>[]): string {
  return [...segments]
    .sort((a, b) => a.startMs - b.startMs)
    .map(({ speaker, text }) => `${speaker === 'agent' ? 'AGENT' : 'USER'}: ${text}`)
    .join('\n');
}
