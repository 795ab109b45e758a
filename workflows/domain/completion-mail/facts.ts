/** What the e-mail about a campaign's end is made of. */
export interface MailFacts {
  campaign: {
    id: string;
    campaignName: string;
    clientName: string;
    agentName: string;
    status: string;
    statusReason: string | null;
    createdAt: Date;
    endedAt: Date;
  };
  /** Contacts that came to the same end. */
  groups: readonly {
    state: string;
    reason: string | null;
    /** The carrier was asked for at least one call. */
    called: boolean;
    callStatus: string | null;
    outcome: string | null;
    contacts: number;
  }[];
  calls: {
    placed: number;
    answered: number;
    talkMs: number;
    credits: number;
    /** Null where nothing was dialled. */
    firstAt: Date | null;
  };
  callbacks: readonly { status: string | null; contacts: number }[];
  /** The first of each kind. */
  noteworthy: readonly {
    kind: 'callback' | 'invalid';
    row: number;
    name: string;
    summary: string | null;
  }[];
}

/** What comes with it: the report, or why it does not. */
export type MailReport = { kind: 'attached'; filename: string } | { kind: 'too_large' };
