/** Decides what a campaign does next, based on a survey of its rows and the workflow's clock. */
import { windowPhase, type CallingSchedule, type Opening, type WindowPhase } from './calling-window';
import type { CampaignStatus, RestingStatus } from './campaign-status';
import { utcText } from './local-time';

export interface CampaignSurvey {
  status: CampaignStatus;
  /** Why the campaign was paused automatically. Null if a person paused it. */
  statusReason: string | null;
  schedule: CallingSchedule;
  /** Replaces the window of the schedule if the campaign has a time zone or rules. */
  localWindow?: WindowPhase;
  /** Some contacts must still be called and have no open call. */
  contactsLeft: boolean;
  /** When the next future redial is due. Null if there is none. */
  nextDueAt: number | null;
  /** Number of calls that wait for a line. */
  waitingCalls: number;
  /** Number of calls that have a line. */
  liveCalls: number;
  /** Number of calls that are over and not yet processed. Always 0 while calls are live, because those keep the campaign open anyway. */
  unconcludedCalls: number;
  /** The part of `unconcludedCalls` that a language model is analysing. */
  requestedCalls: number;
  endedContacts: number;
  total: number;
}

/** Why the remaining contacts won't be dialled: the campaign was cancelled, or its last day has passed. */
export type WithdrawalCause = 'cancelled' | 'over';

export type CampaignStep =
  /** Keep calls waiting for lines. Survey again at `wakeAt`, when the window closes or a redial is due. */
  | { kind: 'feed'; closesAt: number; wakeAt: number; opening?: Opening }
  /** Sleep until the window opens. */
  | { kind: 'rest'; status: RestingStatus; opensAt: number; opening?: Opening }
  /** Wait for a signal. */
  | { kind: 'hold'; reason: 'paused'; why: string | null }
  | { kind: 'hold'; reason: 'live calls finish' }
  /** Wait until the last calls are processed. Survey again at `wakeAt`, because the last call doesn't always send a signal. */
  | { kind: 'drain'; wakeAt: number }
  /** End the contacts that were not dialled. */
  | { kind: 'withdraw'; why: WithdrawalCause }
  | { kind: 'finish' };

/** The built-in rules process a call within milliseconds, and the last call usually signals the campaign. */
const DRAIN_MS = 2_000;
/** A language model takes seconds, or minutes while it is unavailable. Here too, the last call usually signals the campaign. */
const MODEL_DRAIN_MS = 60_000;

export function nextStep(survey: CampaignSurvey, now: number): CampaignStep {
  const undialled = survey.contactsLeft || survey.waitingCalls > 0;
  const finishing = finishingStep(survey, now);

  if (survey.status === 'cancelled') return undialled ? { kind: 'withdraw', why: 'cancelled' } : finishing;
  if (!undialled && survey.liveCalls === 0) return finishing;
  if (survey.status === 'paused') return { kind: 'hold', reason: 'paused', why: survey.statusReason };

  const window = survey.localWindow ?? windowPhase(survey.schedule, now);
  switch (window.phase) {
    case 'ahead':
      return { kind: 'rest', status: 'scheduled', opensAt: window.opensAt, ...openingOf(window) };
    case 'closed':
      return { kind: 'rest', status: 'paused_out_of_range', opensAt: window.opensAt, ...openingOf(window) };
    case 'over':
      return undialled ? { kind: 'withdraw', why: 'over' } : finishing;
    case 'open':
      return {
        kind: 'feed',
        closesAt: window.closesAt,
        wakeAt: Math.min(window.closesAt, survey.nextDueAt ?? Infinity, window.opening?.at ?? Infinity),
        ...openingOf(window),
      };
  }
}

const openingOf = ({ opening }: { opening?: Opening }): { opening?: Opening } =>
  opening === undefined ? {} : { opening };

/** Waits until the last call is processed, because it may result in a callback. */
function finishingStep(
  { liveCalls, unconcludedCalls, requestedCalls }: CampaignSurvey,
  now: number,
): CampaignStep {
  if (liveCalls > 0) return { kind: 'hold', reason: 'live calls finish' };
  if (unconcludedCalls === 0) return { kind: 'finish' };
  return { kind: 'drain', wakeAt: now + (requestedCalls < unconcludedCalls ? DRAIN_MS : MODEL_DRAIN_MS) };
}

/** Describes a step for operators in the Web UI. */
export function describeStep(step: CampaignStep): string {
  switch (step.kind) {
    case 'feed': {
      const { opening, wakeAt, closesAt } = step;
      const next =
        opening !== undefined
          ? `${openingText(opening)}, `
          : wakeAt < closesAt
            ? `the next redial is due ${utcText(wakeAt)}, `
            : '';
      return `dialling; ${next}the window closes ${utcText(closesAt)}`;
    }
    case 'rest':
      return step.opening === undefined
        ? `the window opens ${utcText(step.opensAt)}`
        : openingText(step.opening);
    case 'hold':
      return step.reason === 'paused' ? `paused: ${step.why ?? 'waiting for resume'}` : step.reason;
    case 'drain':
      return 'processing the last calls';
    case 'withdraw':
      return step.why === 'cancelled' ? 'cancelled: ending the remaining contacts' : 'the date range is over';
    case 'finish':
      return 'finished';
  }
}

function openingText({ zones, contacts, at }: Opening): string {
  if (contacts === 1) return `1 contact in ${zones} opens at ${utcText(at)}`;
  return `${contacts === undefined ? 'contacts' : `${contacts} contacts`} in ${zones} open at ${utcText(at)}`;
}
