import type { EndReason } from '../call-outcome';

/** Parts of a sentence about a contact that was not reached. */
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
  dnd_unverified: 'the do-not-disturb registry did not answer',
  cancelled: 'its call was cancelled before it was dialled',
  lines_busy: 'all lines were busy',
  number_busy: 'another call with the same number was in progress',
  spend_limit: 'the organization had reached its daily spend limit',
  line_wait_expired: 'no line was free in time',
  campaign_over: "the campaign's last day passed",
};

export const isEndReason = (reason: string): reason is EndReason => Object.hasOwn(WORDS, reason);

/** Shows an unknown reason as it is stored. */
export const wordsFor = (reason: string): string =>
  isEndReason(reason) ? WORDS[reason] : reason.replaceAll('_', ' ');

export const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
