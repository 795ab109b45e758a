import type { CallingSchedule } from '../calling-window';
import type { ContactState, EndReason } from '../call-outcome';
import type { CallStage } from '../call-stage';
import type { CampaignStatus } from '../campaign-status';
import type { RedialTerms } from '../redial';

export interface StoryContact {
  state: ContactState;
  /** An end reason, or what the upload wrote of a duplicate. */
  reason: string | null;
  /** Dials that count. */
  attempts: number;
  /** When its redial or callback falls due; null for a first dial. */
  nextAttemptAt: number | null;
  /** The callee was reached and asked to be called again. */
  isCallback: boolean;
  /** Of its call before that, null where there was none: why a redial is wanted. */
  lastEndReason: EndReason | null;
  /** Where the call that is to dial or dials it now stands; null where there is none. */
  openStage: CallStage | null;
  /** Another call of the organization with the same person is under way. */
  isNumberBusy: boolean;
  /** Until when the line of that call is kept, whose phone was lost; null of every other. */
  lineKeptUntil: number | null;
}

export interface StoryCampaign extends RedialTerms {
  status: CampaignStatus;
  /** Why the campaign rests, for people. */
  statusReason: string | null;
  schedule: CallingSchedule;
}

export const NEXT_ACTIONS = ['dial', 'redial', 'callback', 'none'] as const;
export type NextAction = (typeof NEXT_ACTIONS)[number];

export interface NextStep {
  action: NextAction;
  /** Not before this instant; null where that depends on a line, a person or the call under way. */
  at: number | null;
  sentence: string;
}

export interface ContactStory {
  /** Why it was not reached, or is not called now. Null for one that was reached, or is being called. */
  why: string | null;
  next: NextStep;
}
