/** What the agent does in a turn, read from the frames of the live captions, and when the turn is over. */
import type { CaptionFrame } from '../../../../sdk/typescript/generated';

export interface Heard {
  isAnswered: boolean;
  /** Of this turn, its sentences in order. */
  said: readonly string[];
  agent: 'quiet' | 'thinking' | 'speaking';
  /** When something was heard last, or the turn began. */
  changedAt: number;
  /** The status of the call once it is over. */
  endedAs: string | null;
}

export const nothingHeard = (now: number): Heard => ({
  isAnswered: false,
  said: [],
  agent: 'quiet',
  changedAt: now,
  endedAs: null,
});

export const turnBegins = (heard: Heard, now: number): Heard => ({
  ...heard,
  said: [],
  agent: 'quiet',
  changedAt: now,
});

type Segment = Extract<CaptionFrame, { type: 'transcript' }>['segment'];

export function afterFrame(before: Heard, frame: CaptionFrame, now: number): Heard {
  const heard = { ...before, changedAt: now };
  switch (frame.type) {
    case 'connected':
      return { ...heard, isAnswered: frame.answered_at !== null };
    case 'call_started':
      return { ...heard, isAnswered: true };
    case 'history':
      return frame.segments.reduce(afterSegment, heard);
    case 'transcript':
      return afterSegment(heard, frame.segment);
    case 'agent_thinking':
      return { ...heard, agent: 'thinking' };
    case 'turn_started':
      return frame.speaker === 'agent' ? { ...heard, agent: 'speaking' } : heard;
    case 'turn_ended':
      return frame.speaker === 'agent' ? afterSpeech(heard) : heard;
    case 'interrupted':
      return heard;
    case 'call_ended':
      return { ...heard, endedAs: frame.call_status };
  }
}

function afterSegment(heard: Heard, { speaker, text, is_final }: Segment): Heard {
  if (speaker !== 'agent') return heard;
  if (!is_final) return { ...heard, agent: 'speaking' };
  return { ...afterSpeech(heard), said: [...heard.said, text] };
}

/** A tool that was called with the last words may be running already: the agent thinks. */
const afterSpeech = (heard: Heard): Heard => ({
  ...heard,
  agent: heard.agent === 'speaking' ? 'quiet' : heard.agent,
});

/** Words that follow at once belong to the same turn. */
const QUIET_MS = 1_500;
/** Who is quiet for so long and has said nothing says nothing. */
const SILENT_MS = 10_000;
/** Of a model or an action that gives no answer. */
const THINKS_MS = 45_000;
/** Of captions that lost the end of a speech. */
const SPEAKS_MS = 120_000;

export function isTurnOver({ said, agent, changedAt, endedAs }: Heard, now: number): boolean {
  if (endedAs !== null) return true;
  const since = now - changedAt;
  switch (agent) {
    case 'thinking':
      return since >= THINKS_MS;
    case 'speaking':
      return since >= SPEAKS_MS;
    case 'quiet':
      return since >= (said.length > 0 ? QUIET_MS : SILENT_MS);
  }
}
