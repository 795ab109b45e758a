/** The transcript as clients read it: one line a segment, labelled by its speaker, in the order of speech. */
export function transcriptText(
  segments: readonly { speaker: 'agent' | 'user'; text: string; startMs: number }[],
): string {
  return [...segments]
    .sort((a, b) => a.startMs - b.startMs)
    .map(({ speaker, text }) => `${speaker === 'agent' ? 'AGENT' : 'USER'}: ${text}`)
    .join('\n');
}
