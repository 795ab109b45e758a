/** Explains why a contact is not called yet and when it may be called. */
import { assertNever } from '../assert-never';
import { windowPhase, type WindowPhase } from '../calling-window';
import { isFinal } from '../campaign-status';
import { utcText } from '../utc-text';
import type { ContactStory, NextAction, StoryCampaign, StoryContact } from './types';
import { wordsFor } from './words';

interface Turn {
  action: Exclude<NextAction, 'none'>;
  /** Beginning of the sentence, such as "It is dialled again". */
  verb: string;
  /** End of the sentence, such as ", dial 2 of 3". */
  ordinal: string;
  contact: StoryContact;
  campaign: StoryCampaign;
  dueAt: number;
  /** The window at `dueAt`. */
  window: WindowPhase;
  now: number;
}

export function upcomingStory(contact: StoryContact, campaign: StoryCampaign, now: number): ContactStory {
  const turn = turnOf(contact, campaign, now);
  if (isFinal(campaign.status)) {
    return none(`The campaign is ${campaign.status}`, 'It ends without being called');
  }
  if (turn.window.phase === 'over') return tooLate(turn);
  if (campaign.status === 'paused') return paused(turn, turn.window);
  if (turn.dueAt > now) return resting(turn, turn.window);
  switch (turn.window.phase) {
    case 'ahead':
    case 'closed':
      return outsideWindow(turn, turn.window);
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
  const dueAt = Math.max(contact.nextAttemptAt ?? now, now);
  return {
    action,
    verb: VERBS[action],
    ordinal: action === 'callback' ? '' : `, dial ${contact.attempts + 1} of ${campaign.maxAttempts}`,
    contact,
    campaign,
    dueAt,
    window: windowPhase(campaign.schedule, dueAt),
    now,
  };
}

type Passable = Exclude<WindowPhase, { phase: 'over' }>;

const mayBegin = ({ dueAt }: Turn, window: Passable): number =>
  window.phase === 'open' ? dueAt : window.opensAt;

const none = (why: string, sentence: string): ContactStory => ({
  why,
  next: { action: 'none', at: null, sentence },
});

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

/** The reason may already contain the word, as in `paused on request`. */
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
          : `${verb} when the calling window opens, ${utcText(at)}${ordinal}`,
    },
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
