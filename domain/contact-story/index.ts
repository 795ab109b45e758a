/** Explains a contact's row to a person: why it was not called, what happens next, and when. Follows the engine's own rules. */
import { assertNever } from '../assert-never';
import { whyNotReached } from './ended';
import type { ContactStory, StoryCampaign, StoryContact } from './types';
import { storyUnderWay } from './under-way';
import { upcomingStory } from './upcoming';

export { NEXT_ACTIONS, type ContactStory, type StoryCampaign, type StoryContact } from './types';

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
