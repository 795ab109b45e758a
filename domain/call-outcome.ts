/**
 * How a call that ended at the carrier is recorded: its final status, what its contact becomes, whether it is dialled again, and
 * which webhook says so. The one place that knows the carrier's end reasons.
 */
import { assertNever } from './assert-never';
import type { CallEvent } from './webhook-events';

/** Progress first, then the final ones. `interface.md` calls the field free text; these are all that we write. */
export const PROGRESS_STATUSES = ['queued', 'dialing', 'ringing', 'in progress'] as const;
export const FINAL_STATUSES = [
  'completed',
  'User disconnected',
  'voicemail',
  'no answer',
  'busy',
  'rejected',
  'failed',
  'error',
  'DND',
  'cancelled',
  'expired',
] as const;

export type ProgressStatus = (typeof PROGRESS_STATUSES)[number];
export type FinalCallStatus = (typeof FINAL_STATUSES)[number];
export type CallStatus = ProgressStatus | FinalCallStatus;

export const END_REASONS = [
  'agent',
  'callee',
  'platform',
  /** A caller who gave up before the answer; of ours, one that was withdrawn before anything was dialled. */
  'cancelled',
  'no_answer',
  'busy',
  'rejected',
  'invalid_number',
  'carrier_failure',
  'max_talk',
  'dropped',
] as const;
export type CarrierEndReason = (typeof END_REASONS)[number];

/**
 * Why a call is over. Beyond the carrier's own reasons: `carrier_unavailable` is a minute of 429 and 503, `request_refused` our
 * request was wrong, `lost` the carrier never reported the end. The others ended before a dial or an answer; docs/architecture.md lists them.
 */
export type EndReason =
  | CarrierEndReason
  | 'carrier_unavailable'
  | 'request_refused'
  | 'lost'
  | 'dnd'
  | 'dnd_unverified'
  | 'lines_busy'
  | 'number_busy'
  | 'spend_limit'
  | 'line_wait_expired'
  | 'campaign_over';

/** Who picked up, as the carrier or the agent found out. */
export const ANSWERED_BY = ['human', 'machine', 'unknown'] as const;
export type AnsweredBy = (typeof ANSWERED_BY)[number];

export const CONTACT_STATES = [
  'pending',
  'in_progress',
  'completed',
  'failed',
  'duplicate',
  'dnd',
  'invalid',
  'cancelled',
  'expired',
] as const;
export type ContactState = (typeof CONTACT_STATES)[number];

/** The states that a contact never leaves. */
export type FinalContactState = Exclude<ContactState, 'pending' | 'in_progress'>;

export interface CallOutcome {
  callStatus: FinalCallStatus;
  /** Somebody or something picked up: the talk is charged and processed. */
  answered: boolean;
  /** What the contact becomes when it is not dialled again. */
  contactState: FinalContactState;
  redial: boolean;
  /** Null where nothing was dialled: no webhook for a contact that was never dialled. */
  event: CallEvent | null;
}

const answered = (callStatus: FinalCallStatus): CallOutcome => ({
  callStatus,
  answered: true,
  contactState: 'completed',
  redial: false,
  event: 'call.completed',
});

/** Nobody broke the conversation off. */
const ended = (answeredBy: AnsweredBy | null): CallOutcome =>
  answered(answeredBy === 'machine' ? 'voicemail' : 'completed');

const unanswered = (
  callStatus: FinalCallStatus,
  redial: boolean,
  contactState: FinalContactState = 'failed',
): CallOutcome => ({
  callStatus,
  answered: false,
  contactState,
  redial,
  event: callStatus === 'no answer' ? 'call.no_answer' : 'call.failed',
});

const neverDialled = (callStatus: FinalCallStatus, contactState: FinalContactState): CallOutcome => ({
  callStatus,
  answered: false,
  contactState,
  redial: false,
  event: null,
});

export function outcomeOf(endReason: EndReason, answeredBy: AnsweredBy | null): CallOutcome {
  switch (endReason) {
    // Hung up by us. Before anybody picked up it was a dial, but no conversation; nobody wants the next one.
    case 'platform':
      return answeredBy === null ? unanswered('cancelled', false, 'cancelled') : ended(answeredBy);
    case 'agent':
    case 'max_talk':
      return ended(answeredBy);
    case 'callee':
      return answered('User disconnected');
    case 'dropped':
      return answered('error');
    case 'no_answer':
      return unanswered('no answer', true);
    case 'busy':
      return unanswered('busy', true);
    case 'carrier_failure':
    case 'carrier_unavailable':
      return unanswered('failed', true);
    case 'rejected':
      return unanswered('rejected', false);
    case 'invalid_number':
      return unanswered('failed', false, 'invalid');
    // The carrier may have placed it: dialling again could ring the same person twice.
    case 'lost':
    case 'request_refused':
      return unanswered('error', false);
    case 'dnd':
      return neverDialled('DND', 'dnd');
    // Nobody knows whether it may be called: not now, and perhaps later.
    case 'dnd_unverified':
      return { ...neverDialled('DND', 'dnd'), redial: true };
    case 'lines_busy':
    case 'number_busy':
      return neverDialled('busy', 'failed');
    // A dispatch ends so; take_inbound records a refused caller as busy.
    case 'spend_limit':
    case 'cancelled':
      return neverDialled('cancelled', 'cancelled');
    case 'line_wait_expired':
    case 'campaign_over':
      return neverDialled('expired', 'expired');
    default:
      return assertNever(endReason);
  }
}

/** What an end says about the carrier: true where it failed, null where nothing can be said. */
export function carrierFailed(endReason: EndReason): boolean | null {
  if (endReason === 'carrier_failure' || endReason === 'carrier_unavailable') return true;
  if (endReason === 'cancelled') return null;
  return END_REASONS.some((known) => known === endReason) ? false : null;
}
