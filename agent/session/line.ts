/**
 * Detects phones whose audio never reaches the agent. A firewall between the trunk and the SIP bridge can block it while the callee still
 * hears the agent.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from './state/call';
import { isPhone } from './state/session-state';

/** Much longer than any gap between packets on a working connection. */
const DEAD_AFTER_MS = 3_000;
/** Phones send audio from the answer on, even during silence. The SIP bridge forwards nothing before the phone's first packet. */
export const NO_AUDIO_AFTER_MS = 8_000;
const CHECK_EVERY_MS = 1_000;

interface LineFacts {
  /** Milliseconds since the newest packet. Null when none has arrived over the current connection to LiveKit. */
  sinceAudioMs: number | null;
  sinceAnswerMs: number;
  /** True once any packet has arrived, even over an earlier connection. LiveKit's statistics restart with each connection. */
  hasSentAudio: boolean;
}

/** `noAudio` means that no packet has arrived, although a working line would have sent one by now. */
type LineState = 'working' | 'dead' | 'noAudio';

export function lineState({ sinceAudioMs, sinceAnswerMs, hasSentAudio }: LineFacts): LineState {
  if (sinceAudioMs !== null) return sinceAudioMs < DEAD_AFTER_MS ? 'working' : 'dead';
  return hasSentAudio || sinceAnswerMs < DEAD_AFTER_MS ? 'working' : 'noAudio';
}

/** Waits until the phone's first packet arrives or is clearly overdue. Skips browsers, because they send nothing while muted. */
export async function watchForAudio(call: Call, signal: AbortSignal): Promise<void> {
  const { state, noAudioAfterMs = NO_AUDIO_AFTER_MS } = call;
  if (state.current.participant === null || !isPhone(state.current.participant)) return;
  while (!signal.aborted) {
    const facts = await lineFacts(call);
    if (facts !== null && facts.sinceAudioMs !== null) return state.update({ hasSentAudio: true });
    const leftMs = noAudioAfterMs - (Date.now() - (state.current.answeredAt ?? Date.now()));
    if (facts !== null && leftMs <= 0) return state.update({ isWithoutAudio: true });
    const waitMs = leftMs > 0 ? Math.min(CHECK_EVERY_MS, leftMs) : CHECK_EVERY_MS;
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Returns null when LiveKit does not respond. */
export async function lineFacts({ state, room }: Call): Promise<LineFacts | null> {
  const { answeredAt, hasSentAudio } = state.current;
  try {
    const sinceAudioMs = await room.sinceAudioMs();
    return { sinceAudioMs, sinceAnswerMs: Date.now() - (answeredAt ?? Date.now()), hasSentAudio };
  } catch {
    return null;
  }
}
