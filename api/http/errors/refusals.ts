import { reportedFaults } from '../input/faults';
import { ApiError, type InputFault } from './api-error';

export const missingApiKey = (): ApiError =>
  new ApiError({ status: 401, code: 'MISSING_API_KEY', message: 'The X-API-Key header is missing' });

export const invalidApiKey = (): ApiError =>
  new ApiError({ status: 401, code: 'INVALID_API_KEY', message: 'The API key is not valid' });

export const invalidSession = (): ApiError =>
  new ApiError({
    status: 401,
    code: 'INVALID_SESSION',
    message: 'There is no session, or it has ended: sign in again',
  });

export const invalidSignInToken = (): ApiError =>
  new ApiError({
    status: 401,
    code: 'INVALID_SIGN_IN_TOKEN',
    message: 'The sign-in link was used, has expired, or is of a key that is not valid',
  });

export const invalidCsrfToken = (): ApiError =>
  new ApiError({
    status: 403,
    code: 'CSRF_TOKEN_INVALID',
    message: 'The X-CSRF-Token header is not that of the session',
  });

export const foreignOrigin = (): ApiError =>
  new ApiError({
    status: 403,
    code: 'FOREIGN_ORIGIN',
    message: 'A socket is opened with a session by pages of this service only',
  });

export const insufficientScope = (scope: string): ApiError =>
  new ApiError({
    status: 403,
    code: 'INSUFFICIENT_SCOPE',
    message: `The API key has not the scope ${scope}`,
  });

export const invalidSignature = (): ApiError =>
  new ApiError({
    status: 401,
    code: 'INVALID_SIGNATURE',
    message: 'The address is not signed by us, or has expired',
  });

export const notAuthorised = (): ApiError =>
  new ApiError({ status: 401, code: 'NOT_AUTHORISED', message: 'The Authorization header is not valid' });

export const notFound = (): ApiError =>
  new ApiError({ status: 404, code: 'NOT_FOUND', message: 'There is nothing at this path' });

/** `allowed` as the header names them: `HEAD, GET`. */
export const methodNotAllowed = (allowed: string): ApiError =>
  new ApiError({
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    message: 'The path does not take this method',
    headers: { Allow: allowed },
  });

/** Not even HTTP, as far as it was read. */
export const malformedRequest = (cause?: unknown): ApiError =>
  new ApiError({
    status: 400,
    code: 'MALFORMED_REQUEST',
    message: 'The request is not well-formed HTTP',
    cause,
  });

export const invalidEncoding = (cause?: unknown): ApiError =>
  new ApiError({
    status: 400,
    code: 'INVALID_ENCODING',
    message: 'The body is not valid UTF-8',
    cause,
  });

export const requestTimedOut = (): ApiError =>
  new ApiError({ status: 408, code: 'REQUEST_TIMEOUT', message: 'The request took too long to arrive' });

export const headersTooLarge = (): ApiError =>
  new ApiError({ status: 431, code: 'HEADERS_TOO_LARGE', message: 'The headers are too large' });

export const agentNotFound = (): ApiError =>
  new ApiError({ status: 404, code: 'AGENT_NOT_FOUND', message: 'No such agent' });

export const versionNotFound = (): ApiError =>
  new ApiError({
    status: 404,
    code: 'VERSION_NOT_FOUND',
    message: 'The agent has no such version, or not any more',
  });

export const callNotFound = (): ApiError =>
  new ApiError({ status: 404, code: 'CALL_NOT_FOUND', message: 'No such call' });

export const callNotAudible = (): ApiError =>
  new ApiError({
    status: 409,
    code: 'CALL_NOT_AUDIBLE',
    message: 'Only a call over LiveKit can be listened to, from its answer to its end',
  });

export const campaignNotFound = (): ApiError =>
  new ApiError({ status: 404, code: 'CAMPAIGN_NOT_FOUND', message: 'No such campaign' });

export const transcriptNotFound = (): ApiError =>
  new ApiError({ status: 404, code: 'TRANSCRIPT_NOT_FOUND', message: 'The call has no transcript yet' });

export const recordingNotFound = (): ApiError =>
  new ApiError({ status: 404, code: 'RECORDING_NOT_FOUND', message: 'The call has no recording yet' });

export const recordingOff = (): ApiError =>
  new ApiError({ status: 409, code: 'RECORDING_OFF', message: 'The call is not to be recorded' });

/** `bytes` is the size of the whole. */
export const rangeNotSatisfiable = (bytes: number): ApiError =>
  new ApiError({
    status: 416,
    code: 'RANGE_NOT_SATISFIABLE',
    message: `The recording has ${bytes} bytes`,
    headers: { 'Content-Range': `bytes */${bytes}` },
  });

export const callOver = (): ApiError =>
  new ApiError({ status: 410, code: 'CALL_OVER', message: 'The call is over' });

export const callTaken = (): ApiError =>
  new ApiError({ status: 409, code: 'CALL_TAKEN', message: 'Another agent has the call' });

export const callerNotFound = (): ApiError =>
  new ApiError({ status: 404, code: 'CALL_NOT_FOUND', message: 'LiveKit shows no caller in this room' });

export const actionLimit = (most: number): ApiError =>
  new ApiError({
    status: 409,
    code: 'ACTION_LIMIT',
    message: `The call has made its ${most} requests with secret headers`,
  });

export const fileNotFound = (): ApiError =>
  new ApiError({ status: 404, code: 'FILE_NOT_FOUND', message: 'The contact file is not stored any more' });

export const numberInUse = (): ApiError =>
  new ApiError({
    status: 409,
    code: 'NUMBER_IN_USE',
    message: 'The inbound number is answered by another agent',
  });

export const numberNotYours = (): ApiError =>
  new ApiError({
    status: 422,
    code: 'NUMBER_NOT_YOURS',
    message: 'A number to call from or to answer is not one that the organization may use',
  });

export const spendLimitReached = (): ApiError =>
  new ApiError({
    status: 402,
    code: 'SPEND_LIMIT_REACHED',
    message:
      'The organization has spent its credits of the day: dispatch again tomorrow (UTC), or ask the operator',
  });

export const noFieldsToUpdate = (): ApiError =>
  new ApiError({
    status: 400,
    code: 'NO_FIELDS_TO_UPDATE',
    message: 'The request names no field that can be updated',
  });

export const deliveryNotFound = (): ApiError =>
  new ApiError({ status: 404, code: 'DELIVERY_NOT_FOUND', message: 'No such delivery' });

export const keyNotFound = (): ApiError =>
  new ApiError({ status: 404, code: 'KEY_NOT_FOUND', message: 'No such API key' });

export const sessionNotFound = (): ApiError =>
  new ApiError({ status: 404, code: 'SESSION_NOT_FOUND', message: 'The key has no such open session' });

export const tooManyKeys = (most: number): ApiError =>
  new ApiError({
    status: 409,
    code: 'TOO_MANY_KEYS',
    message: `The organization has ${most} valid API keys: revoke one first`,
  });

export const quotaExceeded = (name: string, limit: number): ApiError =>
  new ApiError({
    status: 409,
    code: 'QUOTA_EXCEEDED',
    message: `The organization would keep more than its quota ${name} of ${limit} allows. Remove some, or ask the operator to raise it`,
  });

/** As the document says it. */
export const quotaRefusal = (): ApiError => quotaExceeded('contacts', 10_000_000);

export const tooManySecrets = (): ApiError =>
  new ApiError({
    status: 409,
    code: 'TOO_MANY_SECRETS',
    message: 'Two signing secrets are valid already: wait until one expires, or rotate without an overlap',
  });

export const campaignNotEditable = (status: string): ApiError =>
  new ApiError({ status: 409, code: 'CAMPAIGN_NOT_EDITABLE', message: `The campaign is ${status}` });

export const campaignNotPaused = (status: string): ApiError =>
  new ApiError({
    status: 409,
    code: 'CAMPAIGN_NOT_PAUSED',
    message: `Only a paused campaign can be resumed; this one is ${status}`,
  });

export const realtimeNotConfigured = (): ApiError =>
  new ApiError({
    status: 503,
    code: 'REALTIME_NOT_CONFIGURED',
    message: 'No real-time media server is configured',
  });

export const outboundNumberNotAllowed = (): ApiError =>
  new ApiError({
    status: 422,
    code: 'OUTBOUND_NUMBER_NOT_ALLOWED',
    message: 'outbound_number is not among the numbers that the agent may dial from',
  });

/** `retryAfterS` is at least 1. */
export const rateLimited = (retryAfterS: number, headers: Record<string, string> = {}): ApiError =>
  new ApiError({
    status: 429,
    code: 'RATE_LIMITED',
    message: `Too many requests; the next may come in ${retryAfterS} s`,
    headers: { ...headers, 'Retry-After': String(retryAfterS) },
  });

export const idempotencyInProgress = (cause?: unknown): ApiError =>
  new ApiError({
    status: 409,
    code: 'IDEMPOTENCY_IN_PROGRESS',
    message: 'The first request with this Idempotency-Key is not done yet',
    headers: { 'Retry-After': '1' },
    cause,
  });

export const idempotencyKeyReused = (): ApiError =>
  new ApiError({
    status: 422,
    code: 'IDEMPOTENCY_KEY_REUSED',
    message: 'This Idempotency-Key came with another request before',
  });

export const unsupportedMediaType = (expected: string): ApiError =>
  new ApiError({
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: `The body must be ${expected}`,
  });

/** What the document says of a contact file that is refused; the refusals themselves name the rows. */
export const contactFileRefusals = (): ApiError[] => [
  new ApiError({ status: 400, code: 'INVALID_CONTACT_FILE', message: 'The contact file was refused' }),
  new ApiError({ status: 400, code: 'NO_CONTACTS', message: 'The contact file holds no contacts' }),
  new ApiError({
    status: 400,
    code: 'TOO_MANY_CONTACTS',
    message: 'The contact file holds too many contacts',
  }),
];

export const payloadTooLarge = (): ApiError =>
  new ApiError({ status: 413, code: 'PAYLOAD_TOO_LARGE', message: 'The body is too large' });

export const fileTooLarge = (maxBytes: number): ApiError =>
  new ApiError({
    status: 413,
    code: 'FILE_TOO_LARGE',
    message: `The contact file is larger than ${maxBytes / 1024 / 1024} MiB`,
  });

export const serviceUnavailable = (cause?: unknown): ApiError =>
  new ApiError({
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    message: 'The service cannot answer right now; nothing was changed',
    headers: { 'Retry-After': '5' },
    cause,
  });

/** An organization, or all together, use all of a shared buffer or queue. */
export const shareTaken = (): ApiError =>
  new ApiError({
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    message: 'Too many requests are being handled at once; nothing was changed. Retry in 5 s',
    headers: { 'Retry-After': '5' },
  });

export const internalError = (cause: unknown): ApiError =>
  new ApiError({
    status: 500,
    code: 'INTERNAL_ERROR',
    message: 'Something went wrong on our side',
    cause,
  });

export const invalidInput = (faults: InputFault[], cause?: unknown): ApiError =>
  new ApiError({
    status: 422,
    code: 'VALIDATION_ERROR',
    message: faults.map((fault) => `${fault.loc.slice(1).join('.') || fault.loc[0]}: ${fault.msg}`)[0] ?? '',
    faults: reportedFaults(faults),
    cause,
  });
