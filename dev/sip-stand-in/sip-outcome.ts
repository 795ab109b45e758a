/**
 * Translates a far end's response into what LiveKit shows: the error of CreateSIPParticipant, and the reason why the participant leaves.
 * Both follow livekit-sip (`classifyInviteError` in its `pkg/sip/errors.go`, `DisconnectReason` in `participant.go`).
 */
import { DisconnectReason } from '@livekit/rtc-node';
import type { UnansweredOutcome } from '../simulator/numbers';
import { SIP_STATUS } from '../simulator/plan';
import type { EndReason } from '../simulator/protocol';
import type { FarEnd } from './far-end';
import { TwirpError, type TwirpCode } from './twirp';

export interface SipFailure {
  endReason: EndReason;
  /** Null if the far end sent none. */
  sipStatus: number | null;
  left: DisconnectReason;
  error: TwirpError;
  /** True if the bridge cancelled its INVITE. */
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

/** These reasons are less specific than the status and don't reveal a trunk's fault. Only the response of CreateSIPParticipant does. */
const LEFT: Record<Refusal, DisconnectReason> = {
  busy: DisconnectReason.USER_REJECTED,
  rejected: DisconnectReason.USER_REJECTED,
  invalid_number: DisconnectReason.USER_UNAVAILABLE,
  no_answer: DisconnectReason.USER_UNAVAILABLE,
  carrier_failure: DisconnectReason.UNKNOWN_REASON,
};

/** The far end answered the INVITE with a final error status. */
export function refusedBy(endReason: Refusal): SipFailure {
  const sipStatus = SIP_STATUS[endReason];
  const error = statusError(CODES[endReason], sipStatus, PHRASES[endReason], 'INVITE failed');
  return { endReason, sipStatus, left: LEFT[endReason], error, isCancelled: false };
}

/** The target of a transfer didn't answer. A NOTIFY reports its status in a sipfrag. */
export const notTransferred = (endReason: Refusal): TwirpError =>
  statusError(CODES[endReason], SIP_STATUS[endReason], PHRASES[endReason], 'call transfer failed');

/** The trunk rejected the REFER itself. */
export const noRefer = (): TwirpError => statusError('invalid_argument', 405, 'Method Not Allowed', null);

function statusError(code: TwirpCode, status: number, phrase: string, what: string | null): TwirpError {
  const meta = { sip_status_code: String(status), sip_status: phrase };
  const sentence = `sip status: ${status}: ${phrase}`;
  return new TwirpError(code, what === null ? sentence : `${what}: ${sentence}`, meta);
}

/** The request's ring timeout passed. livekit-sip cancels the INVITE, and the error has no SIP status. */
export function rangOut(): SipFailure {
  return {
    endReason: 'no_answer',
    sipStatus: null,
    left: DisconnectReason.USER_UNAVAILABLE,
    error: new TwirpError('canceled', 'sip request timed out'),
    isCancelled: true,
  };
}

/** The INVITE got no response before its transaction ended (RFC 3261's timer B). */
export function noResponse(): SipFailure {
  const error = new TwirpError('canceled', 'transaction failed to complete (0 intermediate responses)');
  return { ...rangOut(), endReason: 'carrier_failure', error, isCancelled: false };
}

/** The room was deleted, or the participant removed, before the far end answered. */
export function takenBack(): SipFailure {
  return { ...rangOut(), endReason: 'platform', sipStatus: 487 };
}

/** The leg lost its connection to the room and couldn't rejoin, so livekit-sip cancels the INVITE. */
export function lost(): SipFailure {
  return { ...rangOut(), endReason: 'dropped' };
}

/** The leg could not join the room, so no call was dialled. */
export function notJoined(): SipFailure {
  const error = new TwirpError('internal', 'update room failed');
  const left = DisconnectReason.UNKNOWN_REASON;
  return { endReason: 'carrier_failure', sipStatus: null, left, error, isCancelled: false };
}

/**
 * The callee answered just as the bridge cancelled, so its phone gets ACK and BYE. If its 200 crossed the CANCEL, livekit-sip has already
 * reported the CANCEL (`watchCancelledInvite`). If the 200 came first, livekit-sip reports that the call was cut short (end of
 * `sipSignal`).
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
