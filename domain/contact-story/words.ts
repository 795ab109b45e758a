import type { EndReason } from '../call-outcome';

/** Parts of a sentence about a contact that was not reached. */
const WORDS: Readonly<Record<EndReason, string>> = {
  agent: 'the agent ended the call',
  callee: 'the person ended the call',
  platform: 'a person ended the call before it was answered',
  no_answer: 'nobody answered',
  busy: 'the line was busy',
  rejected: 'the call was declined',
  invalid_number: 'the carrier knows no such number',
  carrier_failure: 'the carrier did not connect the call',
  max_talk: 'the call reached its longest duration',
  dropped: 'the connection broke off',
  carrier_unavailable: 'the carrier took no calls',
  request_refused: 'the carrier refused our request as wrong',
  lost: 'the carrier never reported how the call ended',
  dnd: 'the number is on a do-not-disturb list',
  dnd_unverified: 'the do-not-disturb registry gave no answer',
  cancelled: 'its call was cancelled before it was dialled',
  lines_busy: 'all lines were busy',
  number_busy: 'another call with the same number was under way',
  spend_limit: 'the organization had spent its credits of the day',
  line_wait_expired: 'no line was free in time',
  campaign_over: "the campaign's last day passed",
};

export const isEndReason = (reason: string): reason is EndReason => Object.hasOwn(WORDS, reason);

/** A reason that is new since a row was written is shown as it is stored. */
export const wordsFor = (reason: string): string =>
  isEndReason(reason) ? WORDS[reason] : reason.replaceAll('_', ' ');

export const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
