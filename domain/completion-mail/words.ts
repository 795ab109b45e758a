/** What became of contacts, in words for people who know nothing of telephony. */
import { wordsFor } from '../contact-story/words';

/** Where the state says more than the reason. */
const BY_STATE: Readonly<Record<string, string>> = {
  invalid: 'the number does not exist',
  duplicate: 'the number is in the file more than once (it was called once)',
  expired: "the campaign's last day was over first",
};

const OUTCOMES: Readonly<Record<string, string>> = {
  interested: 'interested',
  not_interested: 'not interested',
  callback_requested: 'asked to be called back',
  conversation_completed: 'talked, neither yes nor no',
  no_conversation: 'answered and said nothing',
  voicemail: 'a voicemail answered',
  dropped: 'the connection broke off',
};

const CALLBACKS: Readonly<Record<string, string>> = {
  scheduled: 'still to be made',
  completed: 'made',
  failed: 'tried in vain',
  cancelled: 'cancelled',
  expired: 'not made in time',
};

/** A word that is new since this was written is shown as it is stored. */
const plain = (word: string): string => word.replaceAll('_', ' ');

export function whyNotReached({ state, reason }: { state: string; reason: string | null }): string {
  // With its campaign; where a person hung up, the reason says so.
  if (state === 'cancelled' && reason !== 'platform') return 'the campaign was cancelled first';
  return BY_STATE[state] ?? wordsFor(reason ?? state);
}

export function whatCameOfIt({
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
