import { windowPhase } from '../calling-window';
import { redialAt } from '../redial';
import type { ContactStory, StoryCampaign, StoryContact } from './types';

/** Of a contact that is being called. */
export function storyUnderWay(contact: StoryContact, campaign: StoryCampaign, now: number): ContactStory {
  const next = { action: 'none', at: null } as const;
  if (contact.isCallback) return { why: null, next: { ...next, sentence: 'Its callback is under way' } };
  const attempt = contact.attempts + 1;
  const { lineKeptUntil } = contact;
  const call = lineKeptUntil === null ? 'Its call is under way' : lostPhone(lineKeptUntil);
  const callIs = `${call}, dial ${attempt} of ${campaign.maxAttempts}`;
  return { why: null, next: { ...next, sentence: `${callIs}; ${whatFollows(attempt, campaign, now)}` } };
}

const lostPhone = (keptUntil: number): string =>
  `The phone of its call was lost, so that its line is kept until ${new Date(keptUntil).toISOString().slice(11, 19)} UTC`;

/** As if it ended now: what is certain is only that it does not end earlier. */
function whatFollows(attempt: number, campaign: StoryCampaign, now: number): string {
  const isCancelled = campaign.status === 'cancelled';
  const again = redialAt({ redial: true, attempt, reportedAt: now, isCancelled }, campaign);
  if (again === null || windowPhase(campaign.schedule, again).phase === 'over') return 'no other follows';
  const { retryDelayMins } = campaign;
  const after =
    retryDelayMins === 0
      ? 'once it has ended'
      : `${retryDelayMins} ${retryDelayMins === 1 ? 'minute' : 'minutes'} after its end`;
  return `if nobody answers, the next follows ${after}`;
}
