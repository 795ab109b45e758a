/** Whose words they are: our agent's, or the person's that it talks to. */
export const SPEAKERS = ['agent', 'user'] as const;
export type Speaker = (typeof SPEAKERS)[number];

/** What one side said at a stretch; times are milliseconds since the answer. A type, as it travels through indexed JSON. */
export type TranscriptSegment = { speaker: Speaker; text: string; startMs: number; endMs: number };

/** The transcript as clients read it: one line a segment, labelled by its speaker, in the order of speech. */
export function transcriptText(segments: readonly Omit<TranscriptSegment, 'endMs'>[]): string {
  return [...segments]
    .sort((a, b) => a.startMs - b.startMs)
    .map(({ speaker, text }) => `${speaker === 'agent' ? 'AGENT' : 'USER'}: ${text}`)
    .join('\n');
}
