/**
 * What a far end's answer looks like through LiveKit: the error of CreateSIPParticipant, and the reason with which the participant
 * leaves the room, each as livekit-sip has it (`classifyInviteError` in its `pkg/sip/errors.go`, `DisconnectReason` in `participant.go`).
 */
import { DisconnectReason } from '@livekit/rtc-node';
import type { UnansweredOutcome } from '../simulator/numbers';
import { SIP_STATUS } from '../simulator/plan';
import type { EndReason } from '../simulator/protocol';
import { TwirpError, type TwirpCode } from './twirp';

export interface SipFailure {
  endReason: EndReason;
  /** Null where no far end gave one. */
  sipStatus: number | null;
  left: DisconnectReason;
  error: TwirpError;
}

type Refusal = UnansweredOutcome['endReason'];

const PHRASES: Record<Refusal, string> = {
  busy: 'Busy Here',
  rejected: 'Decline',
  invalid_number: 'Not Found',
  no_answer: 'Temporarily Unavailable',
  carrier_failure: 'Service Unavailable',
};

const CODES: Record<Refusal, TwirpCode> = {
  busy: 'resource_exhausted',
  rejected: 'permission_denied',
  invalid_number: 'not_found',
  no_answer: 'resource_exhausted',
  carrier_failure: 'failed_precondition',
};

/** Coarser than the status, and of a trunk's fault it says nothing at all: only who waits for CreateSIPParticipant learns of it. */
const LEFT: Record<Refusal, DisconnectReason> = {
  busy: DisconnectReason.USER_REJECTED,
  rejected: DisconnectReason.USER_REJECTED,
  invalid_number: DisconnectReason.USER_UNAVAILABLE,
  no_answer: DisconnectReason.USER_UNAVAILABLE,
  carrier_failure: DisconnectReason.UNKNOWN_REASON,
};

/** The far end answered the INVITE with a final status that is no success. */
export function refusedBy(endReason: Refusal): SipFailure {
  const sipStatus = SIP_STATUS[endReason];
  const phrase = PHRASES[endReason];
  const meta = { sip_status_code: String(sipStatus), sip_status: phrase };
  const error = new TwirpError(CODES[endReason], `sip status ${sipStatus}: ${phrase}`, meta);
  return { endReason, sipStatus, left: LEFT[endReason], error };
}

/** The ringing time-out of the request was over: livekit-sip takes the INVITE back, and no status comes with the error. */
export function rangOut(): SipFailure {
  return {
    endReason: 'no_answer',
    sipStatus: null,
    left: DisconnectReason.USER_UNAVAILABLE,
    error: new TwirpError('canceled', 'sip request timed out'),
  };
}

/** The room was deleted, or the participant removed from it, before the far end answered. */
export function takenBack(): SipFailure {
  return { ...rangOut(), endReason: 'platform', sipStatus: 487 };
}

/** The leg's connection to the room was lost. */
export function lost(): SipFailure {
  const error = new TwirpError('internal', 'the connection to the room was lost');
  return { endReason: 'dropped', sipStatus: null, left: DisconnectReason.UNKNOWN_REASON, error };
}
