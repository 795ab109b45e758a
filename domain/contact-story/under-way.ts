import { windowPhase } from '../calling-window';
import { redialAt } from '../redial';
import type { ContactStory, StoryCampaign, StoryContact } from './types';

/** Explains a contact that is being called. */
export function storyUnderWay(contact: StoryContact, campaign: StoryCampaign, now: number): ContactStory {
  const next = { action: 'none', at: null } as const;
  if (contact.isCallback) return { why: null, next: { ...next, sentence: 'Its callback is in progress' } };
  const attempt = contact.attempts + 1;
  const { lineKeptUntil } = contact;
  const call = lineKeptUntil === null ? 'Its call is in progress' : lostPhone(lineKeptUntil);
  const callIs = `${call}, dial ${attempt} of ${campaign.maxAttempts}`;
  return { why: null, next: { ...next, sentence: `${callIs}; ${whatFollows(attempt, campaign, now)}` } };
}

const lostPhone = (keptUntil: number): string =>
  `Its call lost the connection to the phone and keeps its line until ${new Date(keptUntil).toISOString().slice(11, 19)} UTC`;

/** Assumes that the call ends now, which is the earliest possible end. */
function whatFollows(attempt: number, campaign: StoryCampaign, now: number): string {
  const isCancelled = campaign.status === 'cancelled';
  const again = redialAt({ redial: true, attempt, reportedAt: now, isCancelled }, campaign);
  if (again === null || windowPhase(campaign.schedule, again).phase === 'over')
    return 'no further dial follows';
  const { retryDelayMins } = campaign;
  const after =
    retryDelayMins === 0
      ? 'as soon as it ends'
      : `${retryDelayMins} ${retryDelayMins === 1 ? 'minute' : 'minutes'} after it ends`;
  return `if it is not answered, the next dial follows ${after}`;
}
