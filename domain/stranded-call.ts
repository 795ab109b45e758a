/**
 * A call whose phone nobody can hang up: its SIP bridge died, or LiveKit went away under it. Its line is kept as long as the phone may ring
 * or be connected, so that neither the line nor the person is called again meanwhile.
 */
import { assertNever } from './assert-never';
import type { EndFacts } from './call-end';
import type { CallDirection, CallMedium } from './call-kind';
import type { AnsweredBy, CarrierEndReason } from './call-outcome';
import type { ParticipantProof } from './participant-proof';

/**
 * What died. A dead bridge acknowledges no answer, so that nobody talks. `livekit`: it was away, or lost the room, or nobody knows: the bridge
 * may be alive, and the phone have been answered unseen.
 */
export const STRANDED_BY = ['bridge', 'livekit'] as const;
export type StrandedBy = (typeof STRANDED_BY)[number];

/** Of a room with a phone: null where it is with its agent. A bridge that LiveKit has connected and that does not reply is dead. */
export function strandedIn({
  person,
  agent,
}: {
  person: ParticipantProof | null;
  agent: boolean;
}): StrandedBy | null {
  if (person?.kind === 'unproven') return 'bridge';
  return agent && person?.kind === 'there' ? null : 'livekit';
}

export interface StrandedCall {
  medium: CallMedium;
  direction: CallDirection;
  askedAt: Date | null;
  /** When its leg joined the room: the INVITE follows within milliseconds. */
  dialingAt: Date | null;
  answeredAt: Date | null;
  answeredBy: AnsweredBy | null;
  isHangUpAsked: boolean;
  /** Null of a call that is not stranded. */
  strandedBy: StrandedBy | null;
}

/** Logged with the instant until which the line is kept. */
export const STRANDED = 'the phone of a call was lost, which may ring or be connected: its line is kept';

/** A room that seems empty, or lost, is looked at again after it: LiveKit may be recovering, and agents and phones coming back to it. */
export const LOOK_AGAIN_MS = 10_000;
/** A phone that hears nothing for so long is no live call any more. */
const LONGEST_SILENCE_MS = 120_000;
/** A bridge without LiveKit tries to rejoin for 62 s; then it hangs up, or sends its CANCEL. */
const LONGEST_REJOIN_MS = 65_000;
/** A bridge that only seemed dead reports the end of the ringing, and the API applies its webhook seconds later. That report must come first. */
const REPORTED_WITHIN_MS = 10_000;
/** From the request to the INVITE, where the leg was not seen to join. */
const INVITE_WITHIN_MS = 10_000;
/** LiveKit reports a dead connection as timed out after it: 20.7 to 21.0 s with its version 1.13.5. */
const TIMED_OUT_AFTER_MS = 20_000;

/** Until when the line is kept at most. `since` is when the phone was lost. Nobody rings a browser or a caller who was not answered. */
export function lineKeptUntil(
  call: StrandedCall,
  { since, now }: { since: number; now: number },
  limits: { ringTimeoutMs: number; maxTalkMs: number },
): number {
  const lookedTwice = now + LOOK_AGAIN_MS;
  if (call.medium === 'webrtc') return lookedTwice;
  if (call.answeredAt !== null) {
    const talkOver = call.answeredAt.getTime() + limits.maxTalkMs;
    return Math.max(lookedTwice, Math.min(since + LONGEST_SILENCE_MS, talkOver));
  }
  switch (call.direction) {
    case 'Incoming':
      return lookedTwice;
    case 'Outbound': {
      const invited = call.dialingAt?.getTime() ?? (call.askedAt?.getTime() ?? now) + INVITE_WITHIN_MS;
      const hungUp = call.strandedBy === 'livekit' ? since + LONGEST_REJOIN_MS : 0;
      return Math.max(lookedTwice, invited + limits.ringTimeoutMs + REPORTED_WITHIN_MS, hungUp);
    }
    default:
      return assertNever(call.direction);
  }
}

/** When the phone was lost whose connection timed out at the instant. */
export const lostBeforeTimeout = (at: number): number => at - TIMED_OUT_AFTER_MS;

/**
 * How it ends. Nobody is charged for the silence after the loss. `isAnswered` is what the bridge says of a phone that came back; null where it
 * did not: it may have been answered while LiveKit was away, and then the person is not dialled again. Nor are they where nobody can say.
 */
export function strandedEnd(
  call: StrandedCall,
  { since, now, isAnswered = null }: { since: number; now: number; isAnswered?: boolean | null },
): EndFacts & { endReason: CarrierEndReason | 'lost' } {
  // Of a caller the bridge has headers from the start.
  const wasAnswered = call.direction === 'Outbound' && isAnswered === true;
  if (call.answeredAt === null && !wasAnswered) {
    if (call.isHangUpAsked) return { endReason: 'platform', endedAt: iso(now) };
    const isUnknown = call.direction === 'Outbound' && call.strandedBy === 'livekit' && isAnswered === null;
    return { endReason: isUnknown ? 'lost' : 'carrier_failure', endedAt: iso(now) };
  }
  const answeredAt = call.answeredAt?.getTime() ?? since;
  return {
    endReason: call.isHangUpAsked ? 'platform' : 'dropped',
    answeredAt: iso(answeredAt),
    answeredBy: call.answeredBy ?? 'unknown',
    endedAt: iso(Math.max(answeredAt, since)),
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();
