import { ApiError, type InputFault } from './api-error';

export const missingApiKey = (): ApiError =>
  new ApiError({ status: 401, code: 'MISSING_API_KEY', message: 'The X-API-Key header is missing' });

export const invalidApiKey = (): ApiError =>
  new ApiError({ status: 401, code: 'INVALID_API_KEY', message: 'The API key is not valid' });

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

export const methodNotAllowed = (): ApiError =>
  new ApiError({
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    message: 'The path does not take this method',
  });

export const agentNotFound = (): ApiError =>
  new ApiError({ status: 404, code: 'AGENT_NOT_FOUND', message: 'No such agent' });

export const callNotFound = (): ApiError =>
  new ApiError({ status: 404, code: 'CALL_NOT_FOUND', message: 'No such call' });

export const campaignNotFound = (): ApiError =>
  new ApiError({ status: 404, code: 'CAMPAIGN_NOT_FOUND', message: 'No such campaign' });

export const transcriptNotFound = (): ApiError =>
  new ApiError({ status: 404, code: 'TRANSCRIPT_NOT_FOUND', message: 'The call has no transcript yet' });

export const fileNotFound = (): ApiError =>
  new ApiError({ status: 404, code: 'FILE_NOT_FOUND', message: 'The contact file is not stored any more' });

export const numberInUse = (): ApiError =>
  new ApiError({
    status: 409,
    code: 'NUMBER_IN_USE',
    message: 'The inbound number is answered by another agent',
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

export const unsupportedMediaType = (expected: string): ApiError =>
  new ApiError({
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: `The body must be ${expected}`,
  });

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
    faults,
    cause,
  });
