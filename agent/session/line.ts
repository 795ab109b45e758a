/** Whether a phone's audio reaches us at all: a firewall between trunk and SIP bridge stops it, and the callee still hears the agent. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallContext } from './state/call-context';
import { isPhone } from './state/session-state';

/** Far longer than any gap between packets on a working connection. */
const DEAD_AFTER_MS = 3_000;
/** A phone sends from its answer on, silence included, and the SIP bridge passes nothing on before its first packet. */
export const NO_AUDIO_AFTER_MS = 8_000;
const LOOK_EVERY_MS = 1_000;

export interface LineFacts {
  /** Milliseconds since the newest packet; null when this connection to LiveKit has received none. */
  sinceAudioMs: number | null;
  sinceAnswerMs: number;
  /** A packet arrived at some time: the statistics begin anew with each connection. */
  hasSentAudio: boolean;
}

/** `noAudio`: not a packet has come, though the answer is longer ago than a working line is ever quiet. */
export type LineState = 'working' | 'dead' | 'noAudio';

export function lineState({ sinceAudioMs, sinceAnswerMs, hasSentAudio }: LineFacts): LineState {
  if (sinceAudioMs !== null) return sinceAudioMs < DEAD_AFTER_MS ? 'working' : 'dead';
  return hasSentAudio || sinceAnswerMs < DEAD_AFTER_MS ? 'working' : 'noAudio';
}

/** Until the phone's first packet, or until it is clear that none will come. Browsers send nothing while they are muted. */
export async function watchForAudio(call: CallContext, signal: AbortSignal): Promise<void> {
  const { state, noAudioAfterMs = NO_AUDIO_AFTER_MS } = call;
  if (state.current.participant === null || !isPhone(state.current.participant)) return;
  while (!signal.aborted) {
    const facts = await lineFacts(call);
    if (facts !== null && facts.sinceAudioMs !== null) return state.update({ hasSentAudio: true });
    const leftMs = noAudioAfterMs - (Date.now() - (state.current.answeredAt ?? Date.now()));
    if (facts !== null && leftMs <= 0) return state.update({ isWithoutAudio: true });
    const waitMs = leftMs > 0 ? Math.min(LOOK_EVERY_MS, leftMs) : LOOK_EVERY_MS;
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Null when it is not known. */
export async function lineFacts({ state, room }: CallContext): Promise<LineFacts | null> {
  const { answeredAt, hasSentAudio } = state.current;
  try {
    const sinceAudioMs = await room.sinceAudioMs();
    return { sinceAudioMs, sinceAnswerMs: Date.now() - (answeredAt ?? Date.now()), hasSentAudio };
  } catch {
    return null;
  }
}
