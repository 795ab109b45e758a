/** What a contact's row says to a person: why it was not called, what happens next, and when. Pure, by the engine's own rules. */
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
  completed: 'Nothing more: it was reached',
  failed: 'It is not dialled again',
  duplicate: 'It is not called: the other row is',
  dnd: 'It is not called',
  invalid: 'It is not dialled again',
  cancelled: 'It is not called any more',
  expired: 'It is not called any more',
} as const;
