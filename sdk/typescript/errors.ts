/** Errors that requests throw. The API has two formats of error bodies, and campaign create has a third with the faults of the file. */
import type { CampaignError, ErrorCode, InputFault } from './generated';

/** The API rejected the request. Branch on `code`; `message` is for people. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';

  constructor(
    readonly status: number,
    /** A newer API can return unknown codes. `HTTP_<status>` means that a proxy answered instead of the API. */
    readonly code: ErrorCode | (string & {}),
    message: string,
    /** Quote it when you ask the operator. */
    readonly requestId: string | null,
    /** The response body: parsed if it is JSON, otherwise text. */
    readonly body: unknown,
  ) {
    super(message);
  }
}

/** Fields of the request are invalid. */
export class InputError extends ApiError {
  override readonly name = 'InputError';

  constructor(
    readonly faults: readonly InputFault[],
    status: number,
    requestId: string | null,
    body: unknown,
  ) {
    const texts = faults.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
    super(status, 'VALIDATION_ERROR', texts.join('; '), requestId, body);
  }
}

/** A campaign was rejected. `answer.details` has the faults of its fields, or of the first 100 rows of its file. */
export class CampaignRefused extends ApiError {
  override readonly name = 'CampaignRefused';

  constructor(
    readonly answer: CampaignError,
    requestId: string | null,
  ) {
    super(answer.status_code, answer.code, answer.message, requestId, answer);
  }
}

/** There was no response, so it is unknown whether the request was carried out. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

export function errorOf(status: number, requestId: string | null, body: unknown): ApiError {
  if (isCampaignError(body)) return new CampaignRefused(body, requestId);
  const detail = isObject(body) ? body.detail : undefined;
  if (Array.isArray(detail)) return new InputError(detail.filter(isFault), status, requestId, body);
  if (isObject(detail) && typeof detail.code === 'string') {
    return new ApiError(status, detail.code, String(detail.message), requestId, body);
  }
  return new ApiError(status, `HTTP_${status}`, `The response had the status ${status}`, requestId, body);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isFault = (value: unknown): value is InputFault =>
  isObject(value) && Array.isArray(value.loc) && typeof value.msg === 'string';

const isCampaignError = (value: unknown): value is CampaignError =>
  isObject(value) && typeof value.status_code === 'number' && typeof value.code === 'string';
