import type { CallingSchedule } from '../calling-window';
import type { ContactState, EndReason } from '../call-outcome';
import type { CallStage } from '../call-stage';
import type { CampaignStatus } from '../campaign-status';
import type { RedialTerms } from '../redial';

export interface StoryContact {
  state: ContactState;
  /** An end reason, or the upload's text for a duplicate. */
  reason: string | null;
  /** Dials so far. */
  attempts: number;
  /** When its redial or callback is due. Null for a first dial. */
  nextAttemptAt: number | null;
  /** The person was reached and requested a callback. */
  isCallback: boolean;
  /** End reason of its previous call. Null if there was none. */
  lastEndReason: EndReason | null;
  /** Stage of its open call. Null if there is none. */
  openStage: CallStage | null;
  /** Another call of the organization with the same number is in progress. */
  isNumberBusy: boolean;
  /** Set if the open call is orphaned: it keeps its line until this instant. */
  lineKeptUntil: number | null;
}

export interface StoryCampaign extends RedialTerms {
  status: CampaignStatus;
  /** Why the campaign does not dial, in words for people. */
  statusReason: string | null;
  schedule: CallingSchedule;
}

export const NEXT_ACTIONS = ['dial', 'redial', 'callback', 'none'] as const;
export type NextAction = (typeof NEXT_ACTIONS)[number];

interface NextStep {
  action: NextAction;
  /** The earliest instant of the action. Null if it depends on a line, a person or the current call. */
  at: number | null;
  sentence: string;
}

export interface ContactStory {
  /** Why the contact was not reached or is not called now. Null if it was reached or is being called. */
  why: string | null;
  next: NextStep;
}
