/** What a campaign does next: a pure decision over what Postgres says and the workflow's clock. */
import { windowPhase, type CallingSchedule } from './calling-window';
import type { CampaignStatus, RestingStatus } from './campaign-status';
import { utcText } from './utc-text';

export interface CampaignSurvey {
  status: CampaignStatus;
  /** Why it is paused, where a brake did it. */
  statusReason: string | null;
  schedule: CallingSchedule;
  /** Contacts are left that no call is open for. */
  contactsLeft: boolean;
  /** When the next redial falls due that is not due yet. Null when there is none. */
  nextDueAt: number | null;
  /** Calls before their line, and calls with one. */
  waitingCalls: number;
  liveCalls: number;
  /** Calls that are over and not processed; not counted, 0, while calls are live, which hold the campaign anyway. */
  unconcludedCalls: number;
  /** Of those, the ones that a language model is asked about. */
  askedCalls: number;
  endedContacts: number;
  total: number;
}

/** Why what was not dialled is ended: a person cancelled the campaign, or its last day is over. */
export type WithdrawalCause = 'cancelled' | 'over';

export type CampaignStep =
  /** Keep calls ready ahead of the lines; look again at `wakeAt` (the window closes or a redial falls due) or when signalled. */
  | { kind: 'feed'; closesAt: number; wakeAt: number }
  /** Outside the window: look again when it opens. */
  | { kind: 'rest'; status: RestingStatus; opensAt: number }
  /** Nothing to do until a person or the end of a live call says so. */
  | { kind: 'hold'; reason: 'paused'; why: string | null }
  | { kind: 'hold'; reason: 'live calls finish' }
  /** Nothing to do until the last calls are processed; look again at `wakeAt`, as one of them may not know that it was the last. */
  | { kind: 'settle'; wakeAt: number }
  /** End what was not dialled. */
  | { kind: 'withdraw'; why: WithdrawalCause }
  | { kind: 'finish' };

/** Processing by rules takes milliseconds, and the call that was the last usually says so. */
const SETTLE_MS = 2_000;
/** A language model takes seconds, or minutes where it is away; the call that was the last says so all the same. */
const ASKED_SETTLE_MS = 60_000;

export function nextStep(survey: CampaignSurvey, now: number): CampaignStep {
  const undialled = survey.contactsLeft || survey.waitingCalls > 0;
  const finishing = finishingStep(survey, now);

  if (survey.status === 'cancelled') return undialled ? { kind: 'withdraw', why: 'cancelled' } : finishing;
  if (!undialled && survey.liveCalls === 0) return finishing;
  if (survey.status === 'paused') return { kind: 'hold', reason: 'paused', why: survey.statusReason };

  const window = windowPhase(survey.schedule, now);
  switch (window.phase) {
    case 'ahead':
      return { kind: 'rest', status: 'scheduled', opensAt: window.opensAt };
    case 'closed':
      return { kind: 'rest', status: 'paused_out_of_range', opensAt: window.opensAt };
    case 'over':
      return undialled ? { kind: 'withdraw', why: 'over' } : finishing;
    case 'open':
      return {
        kind: 'feed',
        closesAt: window.closesAt,
        wakeAt: Math.min(window.closesAt, survey.nextDueAt ?? window.closesAt),
      };
  }
}

/** Not before the last call is processed: it may ask for a callback. */
function finishingStep(
  { liveCalls, unconcludedCalls, askedCalls }: CampaignSurvey,
  now: number,
): CampaignStep {
  if (liveCalls > 0) return { kind: 'hold', reason: 'live calls finish' };
  if (unconcludedCalls === 0) return { kind: 'finish' };
  return { kind: 'settle', wakeAt: now + (askedCalls < unconcludedCalls ? SETTLE_MS : ASKED_SETTLE_MS) };
}

/** What operators read in the Web UI. */
export function describeStep(step: CampaignStep): string {
  switch (step.kind) {
    case 'feed':
      return step.wakeAt < step.closesAt
        ? `dialling; the next redial is due ${utcText(step.wakeAt)}, the window closes ${utcText(step.closesAt)}`
        : `dialling; the window closes ${utcText(step.closesAt)}`;
    case 'rest':
      return `the window opens ${utcText(step.opensAt)}`;
    case 'hold':
      return step.reason === 'paused' ? `paused: ${step.why ?? 'waiting for resume'}` : step.reason;
    case 'settle':
      return 'the last calls are processed';
    case 'withdraw':
      return step.why === 'cancelled' ? 'cancelled: ending what was not dialled' : 'the date range is over';
    case 'finish':
      return 'finished';
  }
}
