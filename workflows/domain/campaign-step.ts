/** What a campaign does next: a pure decision over what Postgres says and the workflow's clock. */
import { windowPhase, type CallingSchedule } from './calling-window';
import type { CampaignStatus } from './campaign-status';

export interface CampaignSurvey {
  status: CampaignStatus;
  schedule: CallingSchedule;
  /** Contacts are left that no call is open for. */
  contactsLeft: boolean;
  /** When the next redial falls due that is not due yet. Null when there is none. */
  nextDueAt: number | null;
  /** Calls before their line, and calls with one. */
  waitingCalls: number;
  liveCalls: number;
  endedContacts: number;
  total: number;
}

export type CampaignStep =
  /** Keep calls ready ahead of the lines; look again at `wakeAt` (the window closes or a redial falls due) or when signalled. */
  | { kind: 'feed'; closesAt: number; wakeAt: number }
  /** Outside the window: look again when it opens. */
  | { kind: 'rest'; status: 'scheduled' | 'paused_out_of_range'; opensAt: number }
  /** Nothing to do until a person or the end of a live call says so. */
  | { kind: 'hold'; reason: 'paused' | 'live calls finish' }
  /** End what was not dialled. */
  | { kind: 'withdraw'; why: 'cancelled' | 'over' }
  | { kind: 'finish' };

export function nextStep(survey: CampaignSurvey, now: number): CampaignStep {
  const undialled = survey.contactsLeft || survey.waitingCalls > 0;
  const finishing: CampaignStep =
    survey.liveCalls > 0 ? { kind: 'hold', reason: 'live calls finish' } : { kind: 'finish' };

  if (survey.status === 'cancelled') return undialled ? { kind: 'withdraw', why: 'cancelled' } : finishing;
  if (!undialled && survey.liveCalls === 0) return { kind: 'finish' };
  if (survey.status === 'paused') return { kind: 'hold', reason: 'paused' };

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

/** What operators read in the Web UI. */
export function describeStep(step: CampaignStep): string {
  const utc = (ms: number) => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  switch (step.kind) {
    case 'feed':
      return `dialling; the window closes ${utc(step.closesAt)}`;
    case 'rest':
      return `the window opens ${utc(step.opensAt)}`;
    case 'hold':
      return step.reason === 'paused' ? 'paused: waiting for resume' : 'live calls finish';
    case 'withdraw':
      return step.why === 'cancelled' ? 'cancelled: ending what was not dialled' : 'the date range is over';
    case 'finish':
      return 'finished';
  }
}
