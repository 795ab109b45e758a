/**
 * Detects phones whose audio never reaches the agent. A firewall between trunk and SIP bridge can block it while the callee still hears the
 * agent.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from './state/call';
import { isPhone } from './state/session-state';

/** Far longer than any gap between packets on a working connection. */
const DEAD_AFTER_MS = 3_000;
/** A phone sends audio from its answer on, silence included. The SIP bridge passes nothing on before the phone's first packet. */
export const NO_AUDIO_AFTER_MS = 8_000;
const LOOK_EVERY_MS = 1_000;

export interface LineFacts {
  /** Milliseconds since the newest packet; null when this connection to LiveKit has received none. */
  sinceAudioMs: number | null;
  sinceAnswerMs: number;
  /** True once any packet has arrived. LiveKit's statistics start again with each connection. */
  hasSentAudio: boolean;
}

/** `noAudio`: no packet has arrived, and the call was answered longer ago than a working line is ever quiet. */
export type LineState = 'working' | 'dead' | 'noAudio';

export function lineState({ sinceAudioMs, sinceAnswerMs, hasSentAudio }: LineFacts): LineState {
  if (sinceAudioMs !== null) return sinceAudioMs < DEAD_AFTER_MS ? 'working' : 'dead';
  return hasSentAudio || sinceAnswerMs < DEAD_AFTER_MS ? 'working' : 'noAudio';
}

/**
 * Watches until the phone's first packet arrives, or until it's clear that none will. Skips browsers, because they send nothing while
 * muted.
 */
export async function watchForAudio(call: Call, signal: AbortSignal): Promise<void> {
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

/** Returns null when LiveKit does not answer. */
export async function lineFacts({ state, room }: Call): Promise<LineFacts | null> {
  const { answeredAt, hasSentAudio } = state.current;
  try {
    const sinceAudioMs = await room.sinceAudioMs();
    return { sinceAudioMs, sinceAnswerMs: Date.now() - (answeredAt ?? Date.now()), hasSentAudio };
  } catch {
    return null;
  }
}
