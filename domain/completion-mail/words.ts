/** Results of contacts, in words for people without knowledge of telephony. */
import { wordsFor } from '../contact-story/words';

/** States that are clearer than the reason. */
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

export function whyNotReached({ state, reason }: { state: string; reason: string | null }): string {
  // Contacts are cancelled with their campaign or by a hang-up, which the reason shows.
  if (state === 'cancelled' && reason !== 'platform') return 'the campaign was cancelled first';
  return BY_STATE[state] ?? wordsFor(reason ?? state);
}

export function resultWords({
  outcome,
  callStatus,
}: {
  outcome: string | null;
  callStatus: string | null;
}): string {
  if (outcome !== null) return OUTCOMES[outcome] ?? plain(outcome);
  return callStatus === 'voicemail' ? (OUTCOMES.voicemail ?? '') : 'answered';
}

export const callbackState = (status: string | null): string =>
  status === null ? 'to be made by a person' : (CALLBACKS[status] ?? plain(status));
