/** Explains a contact's row to a person: why it was not called, what happens next, and when. Follows the engine's rules. */
import { assertNever } from './assert-never';
import type { CallStage } from './call';
import { type ContactState, type EndReason, type FinalContactState, outcomeOf } from './call-outcome';
import { type CallingSchedule, type WindowPhase, windowPhase } from './calling-window';
import { type CampaignStatus, isFinal } from './campaign-status';
import { utcText } from './local-time';
import { type RedialTerms, redialAt } from './redial';
import {
  contactWindow,
  isDialRule,
  localAndUtcText,
  refusalWords,
  rulesForEver,
  type ContactWindow,
} from './rules/contact-window';
import type { Callee, DialRule, DiallingRules } from './rules/dialling';

const MINUTE_MS = 60_000;

export interface StoryContact {
  state: ContactState;
  /** An end reason, the rule that refused the latest dial, or the upload's message for a duplicate. */
  reason: string | null;
  /** Number of dials so far. */
  attempts: number;
  /** When the redial or callback is due. Null for a first dial. */
  nextAttemptAt: number | null;
  /** The person was reached and requested a callback. */
  isCallback: boolean;
  /** End reason of the contact's previous call. Null if there was none. */
  lastEndReason: EndReason | null;
  /** Stage of the contact's open call. Null if there is none. */
  openStage: CallStage | null;
  /** Another call of the organization with the same number is in progress. */
  isNumberBusy: boolean;
  /** Set if the open call is orphaned. The call keeps its line until this instant. */
  lineKeptUntil: number | null;
  /** Decides the rules. */
  callee: Callee;
}

export interface StoryCampaign extends RedialTerms {
  status: CampaignStatus;
  /** Why the campaign does not dial, in words for people. */
  statusReason: string | null;
  schedule: CallingSchedule;
  /** Null if only the schedule applies, in UTC. */
  rules: DiallingRules | null;
}

export const NEXT_ACTIONS = ['dial', 'redial', 'callback', 'none'] as const;
type NextAction = (typeof NEXT_ACTIONS)[number];

interface NextStep {
  action: NextAction;
  /** The earliest time of the action. Null if it depends on a line, a person or the current call. */
  at: number | null;
  sentence: string;
}

export interface ContactStory {
  /** Why the contact was not reached or is not called now. Null if it was reached or is being called. */
  why: string | null;
  next: NextStep;
}

export function contactStory(contact: StoryContact, campaign: StoryCampaign, now: number): ContactStory {
  const { state } = contact;
  switch (state) {
    case 'pending':
      return upcomingStory(contact, campaign, now);
    case 'in_progress':
      return storyUnderWay(contact, campaign, now);
    case 'completed':
    case 'failed':
    case 'duplicate':
    case 'dnd':
    case 'invalid':
    case 'cancelled':
    case 'expired':
      return {
        why: whyNotReached(state, contact, campaign),
        next: { action: 'none', at: null, sentence: LAST_WORDS[state] },
      };
    default:
      return assertNever(state);
  }
}

const LAST_WORDS = {
  completed: 'No further call: it was reached',
  failed: 'It is not dialled again',
  duplicate: 'It is not called, because the other row is',
  dnd: 'It is not called',
  invalid: 'It is not dialled again',
  cancelled: 'It is no longer called',
  expired: 'It is no longer called',
} as const;

interface Turn {
  action: Exclude<NextAction, 'none'>;
  /** Start of the sentence, such as "It is dialled again". */
  verb: string;
  /** End of the sentence, such as ", attempt 2 of 3". */
  ordinal: string;
  contact: StoryContact;
  campaign: StoryCampaign;
  dueAt: number;
  /** State of the calling window and the rules at `dueAt`. */
  window: WindowPhase;
  refusedBy: DialRule[];
  now: number;
}

function upcomingStory(contact: StoryContact, campaign: StoryCampaign, now: number): ContactStory {
  const turn = turnOf(contact, campaign, now);
  if (isFinal(campaign.status)) {
    return none(`The campaign is ${campaign.status}`, 'It ends without being called');
  }
  const forEver = rulesForEver(turn);
  if (forEver.length > 0) return neverAllowed(turn, forEver);
  if (turn.window.phase === 'over') return tooLate(turn);
  if (campaign.status === 'paused') return paused(turn, turn.window);
  if (turn.dueAt > now) return resting(turn, turn.window);
  switch (turn.window.phase) {
    case 'ahead':
    case 'closed':
      return turn.refusedBy.length > 0 ? refused(turn, turn.window) : outsideWindow(turn, turn.window);
    case 'open':
      return ready(turn, turn.window.closesAt);
    default:
      return assertNever(turn.window);
  }
}

const VERBS = {
  dial: 'It is dialled',
  redial: 'It is dialled again',
  callback: 'It is called back',
} as const;

function turnOf(contact: StoryContact, campaign: StoryCampaign, now: number): Turn {
  const action = contact.isCallback ? 'callback' : contact.attempts === 0 ? 'dial' : 'redial';
  const dueAt = isRefusedNow(contact, campaign, now) ? now : Math.max(contact.nextAttemptAt ?? now, now);
  return {
    action,
    verb: VERBS[action],
    ordinal: action === 'callback' ? '' : `, attempt ${contact.attempts + 1} of ${campaign.maxAttempts}`,
    contact,
    campaign,
    dueAt,
    ...windowAt(contact, campaign, dueAt),
    now,
  };
}

const windowAt = ({ callee }: StoryContact, { rules, schedule }: StoryCampaign, at: number): ContactWindow =>
  rules === null ? { window: windowPhase(schedule, at), refusedBy: [] } : contactWindow(rules, callee, at);

/** Returns whether the contact waits because of a rule, instead of a redial or callback that is due later. */
const isRefusedNow = (contact: StoryContact, campaign: StoryCampaign, now: number): boolean =>
  isDialRule(contact.reason) && windowAt(contact, campaign, now).refusedBy.length > 0;

type Passable = Exclude<WindowPhase, { phase: 'over' }>;

const mayBegin = ({ dueAt }: Turn, window: Passable): number =>
  window.phase === 'open' ? dueAt : window.opensAt;

const none = (why: string, sentence: string): ContactStory => ({
  why,
  next: { action: 'none', at: null, sentence },
});

/** Once it gets a line, the contact ends with the name of the rule. */
const neverAllowed = ({ action }: Turn, rules: readonly DialRule[]): ContactStory =>
  none(
    `Not called: ${refusalWords(rules, null)}`,
    action === 'callback' ? 'It is not called back' : 'It ends without being called',
  );

function tooLate({ action, dueAt, now }: Turn): ContactStory {
  const end = 'unless the campaign is extended';
  if (dueAt <= now) return none("The campaign's last window is over", `It ends without being called, ${end}`);
  return none(
    `Its ${action} is due ${utcText(dueAt)}, after the campaign's last window`,
    action === 'callback' ? `It is not called back, ${end}` : `It expires, ${end}`,
  );
}

function paused(turn: Turn, window: Passable): ContactStory {
  const { action, verb, ordinal, campaign, now } = turn;
  const at = mayBegin(turn, window);
  const from = at > now ? `, from ${utcText(at)} on` : '';
  return {
    why: pausedWhy(campaign.statusReason),
    next: { action, at: null, sentence: `${verb} once the campaign is resumed${from}${ordinal}` },
  };
}

/** The reason may already contain the word "paused", as in `paused on request`. */
function pausedWhy(reason: string | null): string {
  if (reason === null) return 'The campaign is paused';
  return reason.startsWith('paused') ? `The campaign is ${reason}` : `The campaign is paused: ${reason}`;
}

function resting(turn: Turn, window: Passable): ContactStory {
  const { action, verb, ordinal, contact, dueAt } = turn;
  const at = mayBegin(turn, window);
  const due = `${action} is due ${utcText(dueAt)}`;
  const before =
    action === 'callback'
      ? 'It was reached'
      : contact.lastEndReason === null
        ? null
        : `Last time, ${wordsFor(contact.lastEndReason)}`;
  return {
    why: before === null ? `Its ${due}` : `${before}; its ${due}`,
    next: {
      action,
      at,
      sentence:
        window.phase === 'open'
          ? `${verb} from ${utcText(at)} on, as soon as a line is free${ordinal}`
          : `${verb} ${whenOpen(turn, at)}${ordinal}`,
    },
  };
}

const whenOpen = ({ contact, refusedBy }: Turn, at: number): string =>
  refusedBy.length > 0
    ? `when the rules allow it, ${localAndUtcText(at, contact.callee)}`
    : `when the calling window opens, ${utcText(at)}`;

function refused(turn: Turn, { opensAt: at }: Extract<WindowPhase, { opensAt: number }>): ContactStory {
  const { action, verb, ordinal, contact, campaign, refusedBy } = turn;
  const { rules, schedule } = campaign;
  const words = refusalWords(refusedBy, rules && { ...schedule, rules, place: contact.callee });
  return {
    why: `${sentence(words)}, until ${utcText(at)}`,
    next: { action, at, sentence: `${verb} ${whenOpen(turn, at)}${ordinal}` },
  };
}

function outsideWindow(
  { action, verb, ordinal }: Turn,
  { phase, opensAt: at }: Extract<WindowPhase, { opensAt: number }>,
): ContactStory {
  const [why, opens] =
    phase === 'ahead'
      ? [`The campaign begins ${utcText(at)}`, 'when the campaign begins']
      : [`Outside the calling window until ${utcText(at)}`, 'when the calling window opens'];
  return { why, next: { action, at, sentence: `${verb} ${opens}, ${utcText(at)}${ordinal}` } };
}

function ready({ action, verb, ordinal, contact }: Turn, closesAt: number): ContactStory {
  if (contact.openStage === 'granted') {
    return { why: null, next: { action, at: null, sentence: `${verb} in a moment${ordinal}` } };
  }
  const closes = `the window closes ${utcText(closesAt)}`;
  if (contact.isNumberBusy) {
    return {
      why: 'Another call to the same person is in progress',
      next: {
        action,
        at: null,
        sentence: `${verb} after that call, as soon as a line is free${ordinal}; ${closes}`,
      },
    };
  }
  return {
    why: contact.openStage === null ? 'Waiting to be dialled' : 'Waiting for a free line',
    next: {
      action,
      at: null,
      sentence: `${verb} as soon as a line is free${ordinal}; ${closes}`,
    },
  };
}

function whyNotReached(
  state: FinalContactState,
  contact: StoryContact,
  campaign: StoryCampaign,
): string | null {
  switch (state) {
    case 'completed':
      return null;
    case 'failed':
    case 'dnd':
    case 'invalid':
      if (isDialRule(contact.reason)) return `Not called: ${refusalWords([contact.reason], null)}`;
      return sentence(wordsFor(contact.reason ?? state)) + whyNotAgain(contact, campaign);
    case 'duplicate': {
      const row = rowOfSameNumber(contact.reason);
      return `${row === null ? 'Another row' : `Row ${row}`} has the same number`;
    }
    case 'cancelled':
      if (contact.reason === 'erased') return "The person's data was erased before the call";
      if (contact.reason !== 'cancelled' || campaign.status !== 'cancelled') {
        return sentence(wordsFor(contact.reason ?? state));
      }
      return `The campaign was cancelled before its ${nextDial(contact)}`;
    case 'expired':
      return `The campaign's last day passed before its ${nextDial(contact)}`;
    default:
      return assertNever(state);
  }
}

const nextDial = ({ attempts }: StoryContact): string => (attempts === 0 ? 'first dial' : 'next dial');

/** Explains why there is no redial although the end reason allows one. */
function whyNotAgain({ reason, attempts }: StoryContact, campaign: StoryCampaign): string {
  if (reason === null || !isEndReason(reason) || !outcomeOf(reason, null).redial) return '';
  // A failed check of the registry is not counted as an attempt if no other attempt follows.
  const isUncounted = reason === 'dnd_unverified' && attempts < campaign.maxAttempts;
  const made = isUncounted ? attempts + 1 : attempts;
  if (made >= campaign.maxAttempts) {
    return made === 1 ? ', and only one dial is allowed' : `, and all ${made} dials are used up`;
  }
  return campaign.status === 'cancelled' ? ', and the campaign was cancelled before its next dial' : '';
}

/** Parses the reason in the form that `copyContacts` writes. */
function rowOfSameNumber(reason: string | null): string | null {
  return /^same number as row (\d+)$/.exec(reason ?? '')?.[1] ?? null;
}

/** Explains a contact that is being called. */
function storyUnderWay(contact: StoryContact, campaign: StoryCampaign, now: number): ContactStory {
  const next = { action: 'none', at: null } as const;
  if (contact.isCallback) return { why: null, next: { ...next, sentence: 'Its callback is in progress' } };
  const attempt = contact.attempts + 1;
  const { lineKeptUntil } = contact;
  const call = lineKeptUntil === null ? 'Its call is in progress' : lostPhone(lineKeptUntil);
  const callIs = `${call}, attempt ${attempt} of ${campaign.maxAttempts}`;
  return { why: null, next: { ...next, sentence: `${callIs}; ${whatFollows(contact, campaign, now)}` } };
}

const lostPhone = (keptUntil: number): string =>
  `Its call lost the connection to the phone and keeps its line until ${new Date(keptUntil).toISOString().slice(11, 19)} UTC`;

/** Assumes that the call ends now, which is the earliest possible end. */
function whatFollows(contact: StoryContact, campaign: StoryCampaign, now: number): string {
  const attempt = contact.attempts + 1;
  const isCancelled = campaign.status === 'cancelled';
  const again = redialAt({ redial: true, attempt, reportedAt: now, isCancelled }, campaign);
  if (again === null || windowAt(contact, campaign, again).window.phase === 'over')
    return 'no further dial follows';
  const delayMins = (again - now) / MINUTE_MS;
  const after =
    delayMins === 0
      ? 'as soon as it ends'
      : `${delayMins} ${delayMins === 1 ? 'minute' : 'minutes'} after it ends`;
  return `if it is not answered, the next dial follows ${after}`;
}

/** Phrases for a sentence about a contact that was not reached. */
const WORDS: Readonly<Record<EndReason, string>> = {
  agent: 'the agent ended the call',
  callee: 'the person ended the call',
  platform: 'a person ended the call before it was answered',
  no_answer: 'there was no answer',
  busy: 'the line was busy',
  rejected: 'the call was declined',
  invalid_number: 'the number does not exist',
  carrier_failure: 'the carrier did not connect the call',
  max_talk: 'the call reached its maximum duration',
  dropped: 'the connection was lost',
  carrier_unavailable: 'the carrier accepted no calls',
  request_refused: 'the carrier rejected our request as invalid',
  lost: 'the carrier never reported how the call ended',
  dnd: 'the number is on a do-not-disturb list',
  dnd_unverified: 'the do-not-disturb registry did not respond',
  cancelled: 'its call was cancelled before it was dialled',
  lines_busy: 'all lines were busy',
  number_busy: 'another call with the same number was in progress',
  spend_limit: 'the organization had reached its daily spend limit',
  rules: 'the rules for calls did not allow it',
  line_wait_expired: 'no line was free in time',
  campaign_over: "the campaign's last day passed",
};

const isEndReason = (reason: string): reason is EndReason => Object.hasOwn(WORDS, reason);

/** Shows an unknown reason as it is stored. */
export const wordsFor = (reason: string): string =>
  isEndReason(reason) ? WORDS[reason] : reason.replaceAll('_', ' ');

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
