/**
 * Translates a far end's response into what LiveKit shows: the error of CreateSIPParticipant, and the reason why the participant leaves.
 * Both follow livekit-sip (`classifyInviteError` in its `pkg/sip/errors.go`, `DisconnectReason` in `participant.go`).
 */
import { DisconnectReason } from '@livekit/rtc-node';
import type { UnansweredOutcome } from '../simulator/numbers';
import { SIP_STATUS } from '../simulator/plan';
import type { EndReason } from '../simulator/protocol';

/** How phones and trunks behave that exist only behind a real SIP bridge, by the number's last digits. The simulator treats these numbers like 00. */
export type FarEnd =
  | 'usual'
  /** Answers, but sends no audio packets. */
  | 'silent'
  /** The trunk doesn't respond at all, not even with 100. */
  | 'dead_trunk'
  /** The trunk responds with 100 and then sends nothing. */
  | 'only_trying'
  /** Rings until it is cancelled. Its 200 crosses the CANCEL, and the bridge hangs up without reporting the answer. */
  | 'crossing_cancel'
  /** Rings until it is cancelled. Its 200 arrives just before, and the bridge reports that the call was cut short. */
  | 'answered_too_late'
  /** The bridge's CPU is exhausted at the first request. */
  | 'full_bridge'
  /** As the target of a transfer: the trunk doesn't support REFER. */
  | 'no_refer'
  /** As the target of a transfer: the trunk accepts the REFER, but sends no NOTIFY. */
  | 'no_notify'
  /** As a caller: hangs up before the call is answered. */
  | 'gives_up';

const BY_ENDING: Readonly<Record<string, FarEnd>> = {
  60: 'silent',
  61: 'dead_trunk',
  62: 'only_trying',
  63: 'crossing_cancel',
  64: 'answered_too_late',
  65: 'full_bridge',
  66: 'no_refer',
  67: 'no_notify',
  68: 'gives_up',
};

export const farEndOf = (number: string): FarEnd => BY_ENDING[number.slice(-2)] ?? 'usual';

/** The codes that the SIP service uses, with Twirp's HTTP status for them. */
const HTTP_STATUS = {
  aborted: 409,
  bad_route: 404,
  canceled: 408,
  deadline_exceeded: 408,
  failed_precondition: 412,
  internal: 500,
  invalid_argument: 400,
  malformed: 400,
  not_found: 404,
  permission_denied: 403,
  resource_exhausted: 429,
  unauthenticated: 401,
  unavailable: 503,
} as const;

type TwirpCode = keyof typeof HTTP_STATUS;

export class TwirpError extends Error {
  override name = 'TwirpError';

  constructor(
    readonly code: TwirpCode,
    message: string,
    readonly meta?: Readonly<Record<string, string>>,
  ) {
    super(message);
  }

  get status(): number {
    return HTTP_STATUS[this.code];
  }

  get body(): Record<string, unknown> {
    return { code: this.code, msg: this.message, ...(this.meta === undefined ? {} : { meta: this.meta }) };
  }
}

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
export function rejectedWith(endReason: Refusal): SipFailure {
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
