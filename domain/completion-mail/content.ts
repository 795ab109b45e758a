/** Content of the completion e-mail before it is rendered as text or HTML. */
import type { Outcome } from '../analysis/types';
import type { CallStatus, ContactState } from '../call-outcome';
import type { FinalCampaignStatus } from '../campaign-status';
import { wordsFor } from '../contact-story';

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
    /** Status of the last answered call, or of the last dialled call if none was answered. Null if no call was dialled. */
    callStatus: CallStatus | null;
    outcome: Outcome | null;
    contacts: number;
  }[];
  calls: {
    placed: number;
    answered: number;
    talkMs: number;
    credits: number;
    /** Time of the first dial. Null if there was none. */
    firstAt: Date | null;
  };
  /** `status` is null if the request was only recorded. */
  callbacks: readonly { status: string | null; contacts: number }[];
  /** Contacts that need a person's attention. Only the first of each kind in file order. */
  noteworthy: readonly {
    kind: 'callback' | 'invalid';
    row: number;
    name: string;
    summary: string | null;
  }[];
}

/** The attached report, or the reason why there is none. */
export type MailReport = { kind: 'attached'; filename: string } | { kind: 'too_large' };

export interface MailContent {
  subject: string;
  title: string;
  lead: string[];
  sections: MailSection[];
  end: string[];
}

export interface MailSection {
  heading: string;
  rows: { label: string; value: string }[];
  points: string[];
}

const MAX_NAME = 120;
const MAX_SUMMARY = 140;
/** Maximum number of rows per table. The attached report contains all of them. */
const MAX_ROWS = 12;

type Group = MailFacts['groups'][number];

const sum = (groups: readonly Group[]): number => groups.reduce((total, { contacts }) => total + contacts, 0);

export function mailContent(facts: MailFacts, report: MailReport): MailContent {
  const name = oneLine(facts.campaign.campaignName, MAX_NAME);
  const total = sum(facts.groups);
  const reached = sum(facts.groups.filter(({ state }) => state === 'completed'));
  const verb = facts.campaign.status === 'cancelled' ? 'Cancelled' : 'Completed';
  return {
    subject: `${verb}: ${name} (${reached} of ${total} reached)`,
    title: name,
    lead: [endSentence(facts), timeSentence(facts)],
    sections: [
      contactSection(facts, { total, reached }),
      tableSection('Contacts that were reached', facts.groups.filter(isReached), resultWords),
      tableSection('Contacts that were not reached', facts.groups.filter(isNotReached), whyNotReached),
      callSection(facts),
      callbackSection(facts),
      actionSection(facts),
    ].filter(({ rows, points }) => rows.length + points.length > 0),
    end: [reportSentence(facts, report)],
  };
}

const isReached = ({ state }: Group): boolean => state === 'completed';
const isNotReached = ({ state }: Group): boolean => state !== 'completed';

function endSentence({ campaign }: MailFacts): string {
  const whose = `The campaign of ${oneLine(campaign.organizationName, MAX_NAME)} with the agent ${oneLine(campaign.agentName, MAX_NAME)}`;
  if (campaign.status !== 'cancelled') return `${whose} is completed.`;
  const why = campaign.statusReason === null ? '' : ` (${oneLine(campaign.statusReason, MAX_NAME)})`;
  return `${whose} was cancelled${why}. Contacts that had not been called by then were not called.`;
}

function timeSentence({ campaign, calls }: MailFacts): string {
  const ended = instantText(campaign.endedAt);
  if (calls.firstAt === null)
    return `It was created on ${instantText(campaign.createdAt)} and ended on ${ended}. No contact was called.`;
  return `The first call was made on ${instantText(calls.firstAt)}, and it ended on ${ended}.`;
}

function contactSection(
  { groups }: MailFacts,
  { total, reached }: { total: number; reached: number },
): MailSection {
  const called = sum(groups.filter((group) => group.called));
  const share = called === 0 ? '' : ` (${Math.round((100 * reached) / called)} % of those called)`;
  const row = (label: string, value: number, more = '') => ({ label, value: `${value}${more}` });
  return {
    heading: 'Contacts',
    rows: [
      row('in the file', total),
      row('called', called),
      row('reached', reached, share),
      row('called and not reached', sum(groups.filter((group) => group.called && isNotReached(group)))),
      row('not called', sum(groups.filter((group) => !group.called && isNotReached(group)))),
    ],
    points: [],
  };
}

/** Merges groups with the same label into one row, with the most frequent first. */
function tableSection(
  heading: string,
  groups: readonly Group[],
  labelOf: (group: Group) => string,
): MailSection {
  const counts = new Map<string, number>();
  for (const group of groups) {
    const label = oneLine(labelOf(group), MAX_NAME);
    counts.set(label, (counts.get(label) ?? 0) + group.contacts);
  }
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  const rows = sorted.slice(0, MAX_ROWS).map(([label, count]) => ({ label, value: String(count) }));
  const rest = sorted.slice(MAX_ROWS).reduce((total, [, count]) => total + count, 0);
  return {
    heading,
    rows: rest === 0 ? rows : [...rows, { label: 'other', value: String(rest) }],
    points: [],
  };
}

function callSection({ calls }: MailFacts): MailSection {
  return {
    heading: 'Calls',
    rows: [
      { label: 'made', value: String(calls.placed) },
      { label: 'answered', value: String(calls.answered) },
      { label: 'minutes talked', value: decimal(calls.talkMs / 60_000) },
      { label: 'credits', value: decimal(calls.credits) },
    ],
    points: [],
  };
}

function callbackSection({ callbacks }: MailFacts): MailSection {
  const rows = callbacks.map(({ status, contacts }) => ({
    label: callbackState(status),
    value: String(contacts),
  }));
  return { heading: 'Requested callbacks', rows, points: [] };
}

function actionSection({ noteworthy }: MailFacts): MailSection {
  const of = (kind: MailFacts['noteworthy'][number]['kind']) =>
    noteworthy.filter((contact) => contact.kind === kind);
  const who = ({ row, name }: { row: number; name: string }) => `row ${row}, ${oneLine(name, MAX_NAME)}`;
  return {
    heading: 'Needs attention',
    rows: [],
    points: [
      ...of('callback').map((contact) => {
        const summary = oneLine(contact.summary ?? '', MAX_SUMMARY);
        return `${who(contact)}: requested a callback.${summary === '' ? '' : ` ${summary}`}`;
      }),
      ...of('invalid').map((contact) => `${who(contact)}: the number does not exist; correct it.`),
    ],
  };
}

function reportSentence({ campaign }: MailFacts, report: MailReport): string {
  return report.kind === 'attached'
    ? `The report is attached (${report.filename}), with one line for each contact.`
    : `The report is too large for an e-mail. Download it from the platform at /api/campaigns/${campaign.id}/report.`;
}

/** States that describe the result more clearly than the reason does. */
const BY_STATE: Readonly<Record<string, string>> = {
  invalid: 'the number does not exist',
  duplicate: 'the number appears more than once in the file (it was called once)',
  expired: 'the campaign ended first',
};

const OUTCOMES: Readonly<Record<string, string>> = {
  interested: 'interested',
  not_interested: 'not interested',
  callback_requested: 'requested a callback',
  conversation_completed: 'talked, without a clear yes or no',
  no_conversation: 'answered without speaking',
  voicemail: 'voicemail',
  dropped: 'the connection was lost',
};

const CALLBACKS: Readonly<Record<string, string>> = {
  scheduled: 'scheduled',
  completed: 'made',
  failed: 'failed',
  cancelled: 'cancelled',
  expired: 'not made in time',
};

/** Shows an unknown word as it is stored. */
const plain = (word: string): string => word.replaceAll('_', ' ');

function whyNotReached({ state, reason }: { state: string; reason: string | null }): string {
  // Contacts are cancelled with their campaign or by a hang-up. The reason distinguishes these cases.
  if (state === 'cancelled' && reason !== 'platform') return 'the campaign was cancelled first';
  return BY_STATE[state] ?? wordsFor(reason ?? state);
}

function resultWords({ outcome, callStatus }: { outcome: string | null; callStatus: string | null }): string {
  if (outcome !== null) return OUTCOMES[outcome] ?? plain(outcome);
  return callStatus === 'voicemail' ? (OUTCOMES.voicemail ?? '') : 'answered';
}

const callbackState = (status: string | null): string =>
  status === null ? 'to be made by a person' : (CALLBACKS[status] ?? plain(status));

/** Line breaks and other control characters, including those that reverse or hide text. */
const NOT_IN_A_LINE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Inserts spaces so that mail programs don't turn URLs, domains and e-mail addresses into links. */
const withoutLinks = (text: string): string =>
  text
    .replace(/:(?=\/\/)/g, ': ')
    .replace(/(?<=\S)[.\u3002\uff0e\uff61](?=\p{L})/gu, '. ')
    .replace(/(?<=\S)@(?=\S)/gu, ' @ ');

/** Turns text from outside into a single line of at most `maxLength` characters, without links. */
export function oneLine(text: string, maxLength: number): string {
  const line = withoutLinks(text.replace(NOT_IN_A_LINE, ' ')).replace(/ {2,}/g, ' ').trim();
  const characters = [...line];
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join('')}…`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Formats an instant like `2 Nov 2026, 05:00 UTC`. */
function instantText(instant: Date): string {
  const day = `${instant.getUTCDate()} ${MONTHS[instant.getUTCMonth()]} ${instant.getUTCFullYear()}`;
  return `${day}, ${instant.toISOString().slice(11, 16)} UTC`;
}

/** Formats a number with at most two decimals. */
const decimal = (value: number): string => String(Math.round(value * 100) / 100);
