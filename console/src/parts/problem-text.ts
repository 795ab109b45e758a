import { ApiError, ConnectionError } from '../../../sdk/typescript/errors';

/** Describes an error to the user. A server error includes the request id, which helps the operator find the cause. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.code === 'INSUFFICIENT_SCOPE')
      return `Your key doesn’t allow this. ${punctuated(error.message)}`;
    if (error.status >= 500) {
      const { requestId } = error;
      const contact =
        requestId === null ? '' : ` If this keeps happening, give the operator the request ID ${requestId}.`;
      return `Something went wrong on the server. Try again later.${contact}`;
    }
    return punctuated(capitalized(error.message));
  }
  if (error instanceof ConnectionError || error instanceof TypeError)
    return 'The server isn’t responding. Check your network.';
  return error instanceof Error ? punctuated(capitalized(error.message)) : 'Something went wrong.';
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const punctuated = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
