/** Explains why a contact in a final state was not reached. */
import { assertNever } from '../assert-never';
import { outcomeOf, type FinalContactState } from '../call-outcome';
import type { StoryCampaign, StoryContact } from './types';
import { isEndReason, sentence, wordsFor } from './words';

export function whyNotReached(
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

/** Explains why there is no redial, for an end reason that allows one. */
function whyNotAgain({ reason, attempts }: StoryContact, campaign: StoryCampaign): string {
  if (reason === null || !isEndReason(reason) || !outcomeOf(reason, null).redial) return '';
  // A failed check of the registry is not counted when no other follows.
  const isUncounted = reason === 'dnd_unverified' && attempts < campaign.maxAttempts;
  const made = isUncounted ? attempts + 1 : attempts;
  if (made >= campaign.maxAttempts) {
    return made === 1 ? ', and only one dial is allowed' : `, and all ${made} dials are used up`;
  }
  return campaign.status === 'cancelled' ? ', and the campaign was cancelled before its next dial' : '';
}

/** Reads the reason as `copyContacts` writes it. */
function rowOfSameNumber(reason: string | null): string | null {
  return /^same number as row (\d+)$/.exec(reason ?? '')?.[1] ?? null;
}
