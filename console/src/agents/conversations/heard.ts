/** Tracks the agent's turn from the live captions, and decides when the turn is over. */
import type { CaptionFrame } from '../../../../sdk/typescript/generated';

export interface Heard {
  isAnswered: boolean;
  /** Sentences that the agent has said in this turn. */
  said: readonly string[];
  agent: 'quiet' | 'thinking' | 'speaking';
  /** Time of the last frame, or the start of the turn if no frame has arrived since. */
  changedAt: number;
  /** Final status of the call; null while the call is live. */
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

/** Keeps `thinking` if the agent called a tool while it spoke, because the tool may still be running. */
const afterSpeech = (heard: Heard): Heard => ({
  ...heard,
  agent: heard.agent === 'speaking' ? 'quiet' : heard.agent,
});

/** Once the agent has spoken, a pause of this length ends the turn. */
const PAUSE_MS = 1_500;
/** If the agent says nothing, the turn ends after this much silence. */
const SILENCE_MS = 10_000;
/** How long a turn waits for a model or tool that doesn't respond. */
const THINKING_TIMEOUT_MS = 45_000;
/** How long a turn waits for the end of speech, in case the captions missed it. */
const SPEAKING_TIMEOUT_MS = 120_000;

export function isTurnOver({ said, agent, changedAt, endedAs }: Heard, now: number): boolean {
  if (endedAs !== null) return true;
  const since = now - changedAt;
  switch (agent) {
    case 'thinking':
      return since >= THINKING_TIMEOUT_MS;
    case 'speaking':
      return since >= SPEAKING_TIMEOUT_MS;
    case 'quiet':
      return since >= (said.length > 0 ? PAUSE_MS : SILENCE_MS);
  }
}
