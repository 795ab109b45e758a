import type { Outcome } from '../analysis/types';
import type { CallStatus, ContactState } from '../call-outcome';
import type { FinalCampaignStatus } from '../campaign-status';

/** Data for the e-mail about a campaign's end. */
export interface MailFacts {
  campaign: {
    id: string;
    campaignName: string;
    organizationName: string;
    agentName: string;
    status: FinalCampaignStatus;
    statusReason: string | null;
    createdAt: Date;
    endedAt: Date;
  };
  /** Contacts with the same result. */
  groups: readonly {
    state: ContactState;
    reason: string | null;
    /** At least one call was dialled. */
    called: boolean;
    /** Status of the last answered call, or else of the last dialled call. Null if there was none. */
    callStatus: CallStatus | null;
    outcome: Outcome | null;
    contacts: number;
  }[];
  calls: {
    placed: number;
    answered: number;
    talkMs: number;
    credits: number;
    /** The first dial. Null if there was none. */
    firstAt: Date | null;
  };
  /** `status` is null if the request is only recorded. */
  callbacks: readonly { status: string | null; contacts: number }[];
  /** Contacts that need a person's attention: the first of each kind, in the order of the file. */
  noteworthy: readonly {
    kind: 'callback' | 'invalid';
    row: number;
    name: string;
    summary: string | null;
  }[];
}

/** The attached report, or why it is not attached. */
export type MailReport = { kind: 'attached'; filename: string } | { kind: 'too_large' };
