import { assertNever } from '../assert-never';
import type { FinalCallStatus } from '../call-outcome';
import type { TranscriptSegment } from '../transcript';
import type { Outcome } from './types';

const MAX_QUOTE_LENGTH = 120;

/** Writes two or three sentences that can be derived from the segments and the status. */
export function summaryOf(input: {
  segments: readonly TranscriptSegment[];
  userTexts: readonly string[];
  outcome: Outcome;
  callStatus: FinalCallStatus;
}): string {
  const { segments, userTexts, outcome, callStatus } = input;
  if (outcome === 'voicemail') return 'An answering machine took the call.';
  const seconds = Math.round(Math.max(0, ...segments.map(({ endMs }) => endMs)) / 1_000);
  const turns = userTexts.length;
  const heard = turns === 0 ? 'did not speak' : `spoke ${turns} ${turns === 1 ? 'time' : 'times'}`;
  const sentences = [`The conversation lasted ${seconds} seconds and the customer ${heard}.`];
  const result = resultOf(outcome);
  if (result !== null) sentences.push(result);
  if (callStatus === 'User disconnected') sentences.push('The customer ended the call.');
  const last = userTexts.at(-1);
  if (last !== undefined) sentences.push(`Last said by the customer: "${shortened(last)}"`);
  return sentences.join(' ');
}

function resultOf(outcome: Outcome): string | null {
  switch (outcome) {
    case 'callback_requested':
      return 'The customer asked to be called back.';
    case 'interested':
      return 'The customer agreed.';
    case 'not_interested':
      return 'The customer declined.';
    case 'dropped':
      return 'The connection was lost.';
    case 'voicemail':
    case 'no_conversation':
    case 'conversation_completed':
      return null;
    default:
      return assertNever(outcome);
  }
}

function shortened(text: string): string {
  const characters = [...text.trim()];
  if (characters.length <= MAX_QUOTE_LENGTH) return characters.join('');
  return `${characters.slice(0, MAX_QUOTE_LENGTH - 1).join('')}…`;
}
