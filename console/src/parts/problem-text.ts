import { ApiError } from '../../../sdk/typescript/errors';

/** For a person: what went wrong, and what to name when they ask for help. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.code === 'INSUFFICIENT_SCOPE') return `Your key does not allow this. ${ended(error.message)}`;
    if (error.status >= 500) {
      const request = error.requestId === null ? '' : ` Ask the operator about request ${error.requestId}.`;
      return `The service could not do this now.${request}`;
    }
    return ended(capital(error.message));
  }
  if (error instanceof TypeError) return 'The service does not answer. Is the network there?';
  return error instanceof Error ? ended(capital(error.message)) : 'Something went wrong.';
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
