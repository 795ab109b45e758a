import type { CaptionFrame, ChatMessage } from '../../../sdk/typescript/generated';

/** Transcript of a live call so far: final segments and what is being spoken. */
export interface LiveLines {
  answeredAt: string | null;
  said: ChatMessage[];
  saying: ChatMessage | null;
}

export const NOTHING_SAID: LiveLines = { answeredAt: null, said: [], saying: null };

type Segment = Extract<CaptionFrame, { type: 'history' }>['segments'][number];

export function afterFrame(lines: LiveLines, frame: CaptionFrame): LiveLines {
  switch (frame.type) {
    case 'connected':
      return { ...lines, answeredAt: frame.answered_at };
    case 'call_started':
      return { ...lines, answeredAt: new Date(frame.timestamp * 1000).toISOString() };
    case 'history':
      return {
        ...lines,
        said: [...lines.said, ...frame.segments.map((each) => lineOf(each, lines.answeredAt))],
      };
    case 'transcript': {
      const line = lineOf(frame.segment, lines.answeredAt);
      return frame.segment.is_final
        ? { ...lines, said: [...lines.said, line], saying: null }
        : { ...lines, saying: line };
    }
    case 'turn_started':
    case 'turn_ended':
    case 'agent_thinking':
    case 'interrupted':
    case 'call_ended':
      return lines;
  }
}

function lineOf(segment: Segment, answeredAt: string | null): ChatMessage {
  const since = answeredAt === null ? 0 : segment.timestamp * 1000 - Date.parse(answeredAt);
  const start_ms = Math.max(0, since);
  return {
    role: segment.speaker,
    content: segment.text,
    start_ms,
    end_ms: start_ms,
    interrupted: segment.was_interrupted,
  };
}
