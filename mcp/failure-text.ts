import { ApiError, CampaignRefused, ConnectionError, InputError } from '../sdk/typescript';
import { ConfirmationRefused } from './confirmations';

/** A request that no call to the API is needed to refuse; the message is for the model that sent it. */
export class ToolRefused extends Error {
  override readonly name = 'ToolRefused';
}

/** What a log line may show of a failure: messages of the API may quote numbers. */
export function failureCode(error: unknown): string {
  if (error instanceof ApiError) return error.code;
  return error instanceof Error ? error.name : typeof error;
}

/** What the model is answered. Of an error that nobody expected only its kind: its message may quote anything. */
export function failureText(error: unknown): string {
  if (error instanceof InputError) {
    const faults = error.faults.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`);
    return `${error.code}: ${faults.join('; ')}${requestOf(error)}`;
  }
  if (error instanceof CampaignRefused) {
    const { details = [], details_total } = error.answer;
    const faults = details.map((fault) => `\n- ${JSON.stringify(fault)}`).join('');
    const more = details_total === undefined ? '' : `\n${details_total} faults together`;
    return `${error.code}: ${error.message}${requestOf(error)}${faults}${more}`;
  }
  if (error instanceof ApiError) return `${error.code}: ${error.message}${requestOf(error)}`;
  if (error instanceof ConnectionError)
    return 'The platform did not answer. Whether a change was made is not known: repeated with the same arguments, and the same confirmation_token if there is one, it is made once.';
  if (error instanceof ConfirmationRefused || error instanceof ToolRefused) return error.message;
  return `The tool failed (${failureCode(error)}).`;
}

const requestOf = ({ requestId }: ApiError): string => (requestId === null ? '' : ` (request ${requestId})`);
