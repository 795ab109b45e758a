import type { CaptionFrame, ChatMessage } from '../../../sdk/typescript/generated';

/** Transcript of a live call so far. */
export interface LiveLines {
  answeredAt: string | null;
  /** Final segments in order. */
  said: ChatMessage[];
  /** Interim text of each speaker who is talking now. */
  saying: ChatMessage[];
  /** True while the agent prepares its next words. */
  isThinking: boolean;
  /** Number of the last final segment. */
  seq: number;
}

export const NOTHING_SAID: LiveLines = { answeredAt: null, said: [], saying: [], isThinking: false, seq: 0 };

type Segment = Extract<CaptionFrame, { type: 'history' }>['segments'][number];

export function afterFrame(lines: LiveLines, frame: CaptionFrame): LiveLines {
  switch (frame.type) {
    case 'connected':
      return { ...lines, answeredAt: frame.answered_at };
    case 'call_started':
      return { ...lines, answeredAt: new Date(frame.timestamp * 1000).toISOString() };
    case 'history':
      return frame.segments.reduce(afterSegment, lines);
    case 'transcript':
      return afterSegment(lines, frame.segment);
    case 'agent_thinking':
      return { ...lines, isThinking: true };
    case 'interrupted':
      return { ...lines, isThinking: false, saying: lines.saying.map(cutShort) };
    case 'turn_started':
      return frame.speaker === 'agent' ? { ...lines, isThinking: false } : lines;
    case 'call_ended':
      return { ...lines, isThinking: false };
    case 'turn_ended':
      return lines;
  }
}

/** Shows typed text immediately. The platform's own segment for it replaces this line later. */
export const afterTyping = (lines: LiveLines, text: string, now: number): LiveLines =>
  afterInterim(lines, lineAt(lines, now, { role: 'user', content: text, interrupted: false }));

function afterSegment(lines: LiveLines, segment: Segment): LiveLines {
  const { speaker, text, is_final, was_interrupted, timestamp, seq } = segment;
  // Skips segments that arrive again after a reconnect.
  if (is_final && seq !== null && seq <= lines.seq) return lines;
  const line = lineAt(lines, timestamp * 1000, {
    role: speaker,
    content: text,
    interrupted: was_interrupted,
  });
  const heard = { ...lines, isThinking: lines.isThinking && speaker !== 'agent' };
  if (!is_final) return afterInterim(heard, line);
  return {
    ...heard,
    said: [...lines.said, line],
    saying: lines.saying.filter(({ role }) => role !== speaker),
    seq: seq ?? lines.seq,
  };
}

function afterInterim(lines: LiveLines, line: ChatMessage): LiveLines {
  const before = lines.saying.findIndex(({ role }) => role === line.role);
  if (before === -1) return { ...lines, saying: [...lines.saying, line] };
  const interrupted = line.interrupted || lines.saying[before]?.interrupted === true;
  return { ...lines, saying: lines.saying.with(before, { ...line, interrupted }) };
}

const cutShort = (line: ChatMessage): ChatMessage =>
  line.role === 'agent' ? { ...line, interrupted: true } : line;

function lineAt(
  { answeredAt }: LiveLines,
  at: number,
  said: Pick<ChatMessage, 'role' | 'content' | 'interrupted'>,
): ChatMessage {
  const start_ms = answeredAt === null ? 0 : Math.max(0, at - Date.parse(answeredAt));
  return { ...said, start_ms, end_ms: start_ms };
}
