/** Why a contact that has come to its end was not reached. */
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
      if (contact.reason === 'erased')
        return 'What was known of the person was erased before they were called';
      if (contact.reason !== 'cancelled' || campaign.status !== 'cancelled') {
        return sentence(wordsFor(contact.reason ?? state));
      }
      return `The campaign was cancelled before its ${turnOf(contact)}`;
    case 'expired':
      return `The campaign's last day passed before its ${turnOf(contact)}`;
    default:
      return assertNever(state);
  }
}

const turnOf = ({ attempts }: StoryContact): string => (attempts === 0 ? 'turn' : 'next dial');

/** For an end after which a contact is dialled again while it has dials left. */
function whyNotAgain({ reason, attempts }: StoryContact, campaign: StoryCampaign): string {
  if (reason === null || !isEndReason(reason) || !outcomeOf(reason, null).redial) return '';
  // The last check that could not be made is followed by none, and is not counted.
  const isUncounted = reason === 'dnd_unverified' && attempts < campaign.maxAttempts;
  const made = isUncounted ? attempts + 1 : attempts;
  if (made >= campaign.maxAttempts) {
    return made === 1 ? ', and it has one dial only' : `, and its ${made} dials are used up`;
  }
  return campaign.status === 'cancelled' ? ', and the campaign was cancelled before its next dial' : '';
}

/** As `copyContacts` writes it down. */
function rowOfSameNumber(reason: string | null): string | null {
  return /^same number as row (\d+)$/.exec(reason ?? '')?.[1] ?? null;
}
