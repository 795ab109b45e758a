/**
 * Maps the end reason of a call to its final status, the contact's state, whether to redial, and the webhook event. No other file
 * interprets end reasons.
 */
import { assertNever } from './assert-never';
import type { CallEvent } from './webhook-events';

/** All values that the platform writes to `call_status`, which `interface.md` calls free text. */
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
  /** The caller hung up before the answer, or the call was withdrawn before its dial. */
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
 * Why a call is over. `carrier_unavailable`: the carrier returned 429 or 503 for a minute, or no agent was free for a quarter of an hour.
 * `request_refused`: our request was invalid. `lost`: the carrier never reported the end. `docs/architecture.md` lists the reasons of
 * calls that end before a dial or an answer.
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
  | 'rules'
  | 'line_wait_expired'
  | 'campaign_over';

/** Determined by the carrier or the agent. */
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
  /** A person or a machine answered, so the call is charged and processed. */
  answered: boolean;
  /** The contact's state if it is not redialled. */
  contactState: FinalContactState;
  redial: boolean;
  /** Null if the call was not dialled. */
  event: CallEvent | null;
}

const answered = (callStatus: FinalCallStatus): CallOutcome => ({
  callStatus,
  answered: true,
  contactState: 'completed',
  redial: false,
  event: 'call.completed',
});

/** Outcome of an answered call that the platform ended. */
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
    // A person hung the call up through the API. If that happened before the answer, don't redial the contact.
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
    // The carrier may have placed the call, so a redial could ring the same person twice.
    case 'lost':
    case 'request_refused':
      return unanswered('error', false);
    case 'dnd':
      return neverDialled('DND', 'dnd');
    // The registry may respond later, so redial the contact.
    case 'dnd_unverified':
      return { ...neverDialled('DND', 'dnd'), redial: true };
    case 'lines_busy':
    case 'number_busy':
      return neverDialled('busy', 'failed');
    // Only a dispatched call or a callback ends here. `take_inbound` records a rejected caller as busy.
    case 'spend_limit':
    case 'rules':
    case 'cancelled':
      return neverDialled('cancelled', 'cancelled');
    case 'line_wait_expired':
    case 'campaign_over':
      return neverDialled('expired', 'expired');
    default:
      return assertNever(endReason);
  }
}

/** Returns whether the carrier failed, or null if the end reason says nothing about that. */
export function carrierFailed(endReason: EndReason): boolean | null {
  if (endReason === 'carrier_failure' || endReason === 'carrier_unavailable') return true;
  if (endReason === 'cancelled') return null;
  return END_REASONS.some((known) => known === endReason) ? false : null;
}
