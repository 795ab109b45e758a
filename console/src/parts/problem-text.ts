import { ApiError, ConnectionError } from '../../../sdk/typescript/errors';

/** Describes the error, with the request id to quote when asking the operator for help. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.code === 'INSUFFICIENT_SCOPE') return `Your key doesn’t allow this. ${ended(error.message)}`;
    if (error.status >= 500) {
      const request = error.requestId === null ? '' : ` Ask the operator about request ${error.requestId}.`;
      return `The server couldn’t do this now.${request}`;
    }
    return ended(capital(error.message));
  }
  if (error instanceof ConnectionError || error instanceof TypeError)
    return 'The server doesn’t respond. Check your network.';
  return error instanceof Error ? ended(capital(error.message)) : 'Something went wrong.';
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
