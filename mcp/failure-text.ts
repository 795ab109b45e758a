import { ApiError, CampaignRefused, ConnectionError, InputError } from '../sdk/typescript';
import { ConfirmationRejected } from './confirmations';

/** A request that is rejected without calling the API. The message is for the model that sent it. */
export class InvalidToolCall extends Error {
  override readonly name = 'InvalidToolCall';
}

/** Returns the part of a failure that may be logged. The API's messages can quote phone numbers. */
export function failureCode(error: unknown): string {
  if (error instanceof ApiError) return error.code;
  return error instanceof Error ? error.name : typeof error;
}

/** Returns the text for the model. An unexpected error is reduced to its name, because its message may quote anything. */
export function failureText(error: unknown): string {
  if (error instanceof InputError) {
    const faults = error.faults.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`);
    return `${error.code}: ${faults.join('; ')}${requestOf(error)}`;
  }
  if (error instanceof CampaignRefused) {
    const { details = [], details_total } = error.answer;
    const faults = details.map((fault) => `\n- ${JSON.stringify(fault)}`).join('');
    const more = details_total === undefined ? '' : `\n${details_total} faults in total`;
    return `${error.code}: ${error.message}${requestOf(error)}${faults}${more}`;
  }
  if (error instanceof ApiError) return `${error.code}: ${error.message}${requestOf(error)}`;
  if (error instanceof ConnectionError)
    return 'The platform did not answer, so it is unknown whether a change was made. Repeat the call with the same arguments, and the same confirmation_token if there is one: the change is made only once.';
  if (error instanceof ConfirmationRejected || error instanceof InvalidToolCall) return error.message;
  return `The tool failed (${failureCode(error)}).`;
}

const requestOf = ({ requestId }: ApiError): string => (requestId === null ? '' : ` (request ${requestId})`);
