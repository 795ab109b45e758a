/** What a request throws. The API words its errors in two families; campaign create has one of its own, with the faults of the file. */
import type { CampaignError, ErrorCode, InputFault } from './generated';

/** Whatever the API refused. Decide by `code`; `message` is for people. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';

  constructor(
    readonly status: number,
    /** A newer API may have more than the ones that are known; `HTTP_<status>` where the answer is not the API's, but a proxy's. */
    readonly code: ErrorCode | (string & {}),
    message: string,
    /** Name it when you ask the operator. */
    readonly requestId: string | null,
    /** The answer's body: parsed if it is JSON, else the text. */
    readonly body: unknown,
  ) {
    super(message);
  }
}

/** Fields of the request are not as they must be. */
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

/** A campaign was refused. `answer.details` has the faults of its fields or the first 100 of its file's rows. */
export class CampaignRefused extends ApiError {
  override readonly name = 'CampaignRefused';

  constructor(
    readonly answer: CampaignError,
    requestId: string | null,
  ) {
    super(answer.status_code, answer.code, answer.message, requestId, answer);
  }
}

/** No answer came: whether the request was carried out is not known. */
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
  return new ApiError(status, `HTTP_${status}`, `The answer was ${status}`, requestId, body);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isFault = (value: unknown): value is InputFault =>
  isObject(value) && Array.isArray(value.loc) && typeof value.msg === 'string';

const isCampaignError = (value: unknown): value is CampaignError =>
  isObject(value) && typeof value.status_code === 'number' && typeof value.code === 'string';
