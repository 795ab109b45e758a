import type { Outcome } from '../analysis/types';
import type { CallStatus, ContactState } from '../call-outcome';
import type { FinalCampaignStatus } from '../campaign-status';

/** What the e-mail about a campaign's end is made of. */
export interface MailFacts {
  campaign: {
    id: string;
    campaignName: string;
    clientName: string;
    agentName: string;
    status: FinalCampaignStatus;
    statusReason: string | null;
    createdAt: Date;
    endedAt: Date;
  };
  /** Contacts that came to the same end. */
  groups: readonly {
    state: ContactState;
    reason: string | null;
    /** The carrier was asked for at least one call. */
    called: boolean;
    /** Of the call that says most: the last that was answered, else the last that was dialled; null where there was none. */
    callStatus: CallStatus | null;
    outcome: Outcome | null;
    contacts: number;
  }[];
  calls: {
    placed: number;
    answered: number;
    talkMs: number;
    credits: number;
    /** The first dial; null where nothing was dialled. */
    firstAt: Date | null;
  };
  /** `status` is null where the wish is only recorded. */
  callbacks: readonly { status: string | null; contacts: number }[];
  /** Contacts that a person should look at: the first of each kind, in the order of the file. */
  noteworthy: readonly {
    kind: 'callback' | 'invalid';
    row: number;
    name: string;
    summary: string | null;
  }[];
}

/** What comes with it: the report, or why it does not. */
export type MailReport = { kind: 'attached'; filename: string } | { kind: 'too_large' };
