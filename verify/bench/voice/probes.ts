/** What is looked at in a conversation, and what the two tracks say of it. */
import type { TrackLoudness } from './loudness';
import { BRIDGED_MS, spansOf, type Span } from './spans';

export type ProbeKind =
  /** The caller says a sentence when nobody speaks, with so much silence put into it; 0 for none. */
  | { kind: 'turn'; pauseMs: number }
  /** The caller says a sentence while the agent speaks. */
  | { kind: 'interruption' }
  /** While the agent speaks there is a sound that is no turn; whether the agent's model was asked for an answer to it. */
  | { kind: 'disturbance'; name: string; isAnswered: boolean };

export type Probe = ProbeKind & {
  /** When the caller was given the sound, and until when only this is looked at. */
  fromMs: number;
  untilMs: number;
};

export type Outcome =
  /** The agent began to speak between the caller's words: then there is no wait. */
  | { kind: 'cut off'; pauseMs: number }
  /** From the caller's last word to the agent's first sound; null where it gave none. */
  | { kind: 'turn'; pauseMs: number; lastWordMs: number; waitMs: number | null }
  /** From the caller's first sound to the agent's last; null where it spoke on. */
  | { kind: 'interruption'; stopMs: number | null }
  /** An agent that falls silent and speaks on paused: for a word it does so until it knows what was said. */
  | { kind: 'disturbance'; name: string; reaction: 'none' | 'paused' | 'stopped' }
  /** It could not be measured. */
  | { kind: 'void'; of: ProbeKind['kind']; why: 'the agent did not speak' | 'a part of a track is missing' };

export interface Tracks {
  caller: Pick<TrackLoudness, 'between'>;
  agent: Pick<TrackLoudness, 'between'>;
}

/** What is longer is no pause in a sentence. */
const MOST_PAUSE_MS = 2_000;
/** For so long the agent has spoken at least when somebody speaks over it. */
const SPEAKS_MS = 100;

/** Throws where the caller is not on the track. */
export function outcomeOf(probe: Probe, tracks: Tracks): Outcome {
  const { fromMs, untilMs } = probe;
  const [callers, agents] = [
    tracks.caller.between(fromMs, untilMs),
    tracks.agent.between(fromMs - 2 * SPEAKS_MS, untilMs),
  ];
  if (callers === null || agents === null)
    return { kind: 'void', of: probe.kind, why: 'a part of a track is missing' };
  const [[said], agent] = [spansOf(callers, MOST_PAUSE_MS), spansOf(agents)];
  if (said === undefined) throw new Error(`the caller is not on the track: ${probe.kind}`);
  if (probe.kind === 'turn') return turn(probe.pauseMs, said, agent);
  const over = agent.find((span) => span.fromMs <= said.fromMs - SPEAKS_MS && span.untilMs > said.fromMs);
  if (over === undefined) return { kind: 'void', of: probe.kind, why: 'the agent did not speak' };
  const isSilent = over.untilMs <= untilMs - BRIDGED_MS;
  if (probe.kind === 'interruption')
    return { kind: 'interruption', stopMs: isSilent ? over.untilMs - said.fromMs : null };
  const speaksOn = agent.some(({ fromMs: from }) => from > over.untilMs);
  const isStopped = probe.isAnswered || (isSilent && !speaksOn);
  return {
    kind: 'disturbance',
    name: probe.name,
    reaction: isStopped ? 'stopped' : isSilent ? 'paused' : 'none',
  };
}

function turn(pauseMs: number, said: Span, agent: readonly Span[]): Outcome {
  if (agent.some(({ fromMs }) => fromMs >= said.fromMs && fromMs < said.untilMs))
    return { kind: 'cut off', pauseMs };
  const first = agent.find(({ fromMs }) => fromMs >= said.untilMs);
  const waitMs = first === undefined ? null : first.fromMs - said.untilMs;
  return { kind: 'turn', pauseMs, lastWordMs: said.untilMs, waitMs };
}
