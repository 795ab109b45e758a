/**
 * What a far end's answer looks like through LiveKit: the error of CreateSIPParticipant, and the reason with which the participant
 * leaves the room, each as livekit-sip has it (`classifyInviteError` in its `pkg/sip/errors.go`, `DisconnectReason` in `participant.go`).
 */
import { DisconnectReason } from '@livekit/rtc-node';
import type { UnansweredOutcome } from '../simulator/numbers';
import { SIP_STATUS } from '../simulator/plan';
import type { EndReason } from '../simulator/protocol';
import type { FarEnd } from './far-end';
import { TwirpError, type TwirpCode } from './twirp';

export interface SipFailure {
  endReason: EndReason;
  /** Null where no far end gave one. */
  sipStatus: number | null;
  left: DisconnectReason;
  error: TwirpError;
  /** The bridge took its INVITE back. */
  isCancelled: boolean;
}

export type Refusal = UnansweredOutcome['endReason'];

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
  const error = statusError(CODES[endReason], sipStatus, PHRASES[endReason], 'INVITE failed');
  return { endReason, sipStatus, left: LEFT[endReason], error, isCancelled: false };
}

/** The number that a call was transferred to did not take it: a NOTIFY says so, with the status in a sipfrag. */
export const notTransferred = (endReason: Refusal): TwirpError =>
  statusError(CODES[endReason], SIP_STATUS[endReason], PHRASES[endReason], 'call transfer failed');

/** The trunk refused the REFER itself. */
export const noRefer = (): TwirpError => statusError('invalid_argument', 405, 'Method Not Allowed', null);

function statusError(code: TwirpCode, status: number, phrase: string, what: string | null): TwirpError {
  const meta = { sip_status_code: String(status), sip_status: phrase };
  const sentence = `sip status: ${status}: ${phrase}`;
  return new TwirpError(code, what === null ? sentence : `${what}: ${sentence}`, meta);
}

/** The ringing time-out of the request was over: livekit-sip takes the INVITE back, and no status comes with the error. */
export function rangOut(): SipFailure {
  return {
    endReason: 'no_answer',
    sipStatus: null,
    left: DisconnectReason.USER_UNAVAILABLE,
    error: new TwirpError('canceled', 'sip request timed out'),
    isCancelled: true,
  };
}

/** No response at all came to the INVITE before its transaction was over (RFC 3261's timer B). */
export function noResponse(): SipFailure {
  const error = new TwirpError('canceled', 'transaction failed to complete (0 intermediate responses)');
  return { ...rangOut(), endReason: 'carrier_failure', error, isCancelled: false };
}

/** The room was deleted, or the participant removed from it, before the far end answered. */
export function takenBack(): SipFailure {
  return { ...rangOut(), endReason: 'platform', sipStatus: 487 };
}

/** The leg's connection to the room was lost for good: livekit-sip takes the INVITE back. */
export function lost(): SipFailure {
  return { ...rangOut(), endReason: 'dropped' };
}

/** The leg did not come into the room, and nobody was dialled. */
export function notJoined(): SipFailure {
  const error = new TwirpError('internal', 'update room failed');
  const left = DisconnectReason.UNKNOWN_REASON;
  return { endReason: 'carrier_failure', sipStatus: null, left, error, isCancelled: false };
}

/**
 * The callee's 200 met the CANCEL, and its phone gets ACK and BYE. Where they crossed, livekit-sip has reported the CANCEL already
 * (`watchCancelledInvite`); where the 200 came first, it finds the call cut short before it reports the answer (end of `sipSignal`).
 */
export function answeredAtTheEnd(failure: SipFailure, farEnd: FarEnd): SipFailure {
  if (farEnd !== 'answered_too_late') return failure;
  return failure.endReason === 'no_answer'
    ? {
        ...failure,
        left: DisconnectReason.UNKNOWN_REASON,
        error: new TwirpError('failed_precondition', 'context deadline exceeded'),
      }
    : {
        ...failure,
        left: DisconnectReason.USER_REJECTED,
        error: new TwirpError('canceled', 'context canceled'),
      };
}
