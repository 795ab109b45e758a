/**
 * Decides how long an orphaned call keeps its line. Such a call cannot be hung up, because its SIP bridge died or LiveKit had an outage.
 * While the phone may ring or be connected, the line must not be reused and the person must not be called again.
 */
import { assertNever } from './assert-never';
import type { EndFacts } from './call-end';
import type { CallDirection, CallMedium } from './call';
import type { AnsweredBy, CarrierEndReason } from './call-outcome';
import type { ParticipantProof } from './participant-proof';

/**
 * The process that died. A dead bridge can't connect a callee who answers. `livekit` also stands for an unknown cause: the bridge may then
 * be alive, and the callee may have answered unnoticed.
 */
export const ORPHANED_BY = ['bridge', 'livekit'] as const;
export type OrphanedBy = (typeof ORPHANED_BY)[number];

/** Returns null if both the phone and the agent are present. A bridge that is connected to LiveKit but doesn't reply is dead. */
export function orphanedIn({
  person,
  agent,
}: {
  person: ParticipantProof | null;
  agent: boolean;
}): OrphanedBy | null {
  if (person?.kind === 'unproven') return 'bridge';
  return agent && person?.kind === 'there' ? null : 'livekit';
}

export interface OrphanedCall {
  medium: CallMedium;
  direction: CallDirection;
  requestedAt: Date | null;
  /** When the phone's leg joined the room. The INVITE follows within milliseconds. */
  dialingAt: Date | null;
  answeredAt: Date | null;
  answeredBy: AnsweredBy | null;
  isHangUpRequested: boolean;
  /** Null if the call is not orphaned. */
  orphanedBy: OrphanedBy | null;
}

/** Log message. The log line's fields include the instant until which the line is kept. */
export const ORPHANED = 'call orphaned: keeping its line while the phone may ring or be connected';

/** Delay until an empty or missing room is checked again, because LiveKit may be recovering. */
export const RECHECK_MS = 10_000;
/** A phone that has heard nothing for this long is no longer treated as a live call. */
const LONGEST_SILENCE_MS = 120_000;
/** A bridge that lost LiveKit tries to rejoin for 62 s and then hangs up or sends CANCEL. */
const LONGEST_REJOIN_MS = 65_000;
/** A bridge that only seemed dead still reports the end of the ringing. Wait for its webhook, which takes seconds. */
const REPORTED_WITHIN_MS = 10_000;
/** Time from the request to the INVITE. Used for a leg that was not seen joining. */
const INVITE_WITHIN_MS = 10_000;
/** LiveKit reports a dead connection as timed out after this time (20.7 to 21.0 s with version 1.13.5). */
const TIMED_OUT_AFTER_MS = 20_000;

/**
 * Returns the latest instant until which the line is kept. `since` is when the phone was lost. A browser or an unanswered caller needs no
 * wait.
 */
export function lineKeptUntil(
  call: OrphanedCall,
  { since, now }: { since: number; now: number },
  limits: { ringTimeoutMs: number; maxTalkMs: number },
): number {
  const lookedTwice = now + RECHECK_MS;
  if (call.medium === 'webrtc') return lookedTwice;
  if (call.answeredAt !== null) {
    const talkOver = call.answeredAt.getTime() + limits.maxTalkMs;
    return Math.max(lookedTwice, Math.min(since + LONGEST_SILENCE_MS, talkOver));
  }
  switch (call.direction) {
    case 'Incoming':
      return lookedTwice;
    case 'Outbound': {
      const invited = call.dialingAt?.getTime() ?? (call.requestedAt?.getTime() ?? now) + INVITE_WITHIN_MS;
      const hungUp = call.orphanedBy === 'livekit' ? since + LONGEST_REJOIN_MS : 0;
      return Math.max(lookedTwice, invited + limits.ringTimeoutMs + REPORTED_WITHIN_MS, hungUp);
    }
    default:
      return assertNever(call.direction);
  }
}

/** Returns when the phone was lost, given that its connection timed out at `at`. */
export const lostBeforeTimeout = (at: number): number => at - TIMED_OUT_AFTER_MS;

/**
 * Returns how an orphaned call ends. Silence after the phone was lost is not charged. `isAnswered` is the bridge's report about a phone
 * that came back. Null if there is none. A call that may have been answered unnoticed ends as `lost` and is not redialled.
 */
export function orphanedEnd(
  call: OrphanedCall,
  { since, now, isAnswered = null }: { since: number; now: number; isAnswered?: boolean | null },
): EndFacts & { endReason: CarrierEndReason | 'lost' } {
  // A caller's leg has headers from the start, so they prove nothing.
  const wasAnswered = call.direction === 'Outbound' && isAnswered === true;
  if (call.answeredAt === null && !wasAnswered) {
    if (call.isHangUpRequested) return { endReason: 'platform', endedAt: iso(now) };
    const isUnknown = call.direction === 'Outbound' && call.orphanedBy === 'livekit' && isAnswered === null;
    return { endReason: isUnknown ? 'lost' : 'carrier_failure', endedAt: iso(now) };
  }
  const answeredAt = call.answeredAt?.getTime() ?? since;
  return {
    endReason: call.isHangUpRequested ? 'platform' : 'dropped',
    answeredAt: iso(answeredAt),
    answeredBy: call.answeredBy ?? 'unknown',
    endedAt: iso(Math.max(answeredAt, since)),
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();
