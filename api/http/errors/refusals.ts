import { reportedFaults, ApiError, type InputFault } from './api-error';

export const missingApiKey = (): ApiError =>
  new ApiError({ code: 'MISSING_API_KEY', message: 'The `X-API-Key` header is missing' });

export const invalidApiKey = (): ApiError =>
  new ApiError({ code: 'INVALID_API_KEY', message: 'The API key is wrong, expired or revoked' });

export const invalidSession = (): ApiError =>
  new ApiError({ code: 'INVALID_SESSION', message: 'The session is missing or has ended. Sign in again' });

export const invalidSignInToken = (): ApiError =>
  new ApiError({
    code: 'INVALID_SIGN_IN_TOKEN',
    message:
      'The sign-in link was already used, has expired, or belongs to an API key that is no longer valid. Ask the operator for a new link',
  });

export const invalidCsrfToken = (): ApiError =>
  new ApiError({
    code: 'CSRF_TOKEN_INVALID',
    message: "The `X-CSRF-Token` header is missing or wrong. Send the session's `csrf_token`",
  });

export const foreignOrigin = (): ApiError =>
  new ApiError({
    code: 'FOREIGN_ORIGIN',
    message: 'A console session can open a WebSocket only from a page of the console',
  });

export const insufficientScope = (scope: string): ApiError =>
  new ApiError({ code: 'INSUFFICIENT_SCOPE', message: `The API key lacks the scope ${scope}` });

export const invalidSignature = (): ApiError =>
  new ApiError({
    code: 'INVALID_SIGNATURE',
    message: "The URL's signature is wrong or has expired. Fetch the call or campaign again to get a new URL",
  });

export const notAuthorised = (): ApiError =>
  new ApiError({ code: 'NOT_AUTHORISED', message: 'The `Authorization` header is missing or wrong' });

export const notFound = (): ApiError =>
  new ApiError({ code: 'NOT_FOUND', message: 'There is no endpoint at this path' });

/** `allowed` is the value of the Allow header, such as `HEAD, GET`. */
export const methodNotAllowed = (allowed: string): ApiError =>
  new ApiError({
    code: 'METHOD_NOT_ALLOWED',
    message: 'The path does not support this method. See the `Allow` header',
    headers: { Allow: allowed },
  });

export const malformedRequest = (cause?: unknown): ApiError =>
  new ApiError({
    code: 'MALFORMED_REQUEST',
    message: 'The request is not valid HTTP',
    cause,
  });

export const invalidEncoding = (cause?: unknown): ApiError =>
  new ApiError({
    code: 'INVALID_ENCODING',
    message: 'The body is not valid UTF-8',
    cause,
  });

export const requestTimedOut = (): ApiError =>
  new ApiError({
    code: 'REQUEST_TIMEOUT',
    message: 'The request arrived too slowly. Retry over a faster connection',
  });

export const headersTooLarge = (maxBytes: number): ApiError =>
  new ApiError({ code: 'HEADERS_TOO_LARGE', message: `The headers are larger than ${sizeOf(maxBytes)}` });

export const agentNotFound = (): ApiError =>
  new ApiError({ code: 'AGENT_NOT_FOUND', message: 'There is no agent with this id or name' });

export const versionNotFound = (): ApiError =>
  new ApiError({
    code: 'VERSION_NOT_FOUND',
    message: 'The agent has no version with this number, or the version was deleted',
  });

export const callNotFound = (): ApiError =>
  new ApiError({ code: 'CALL_NOT_FOUND', message: 'There is no call with this id' });

export const callNotAudible = (): ApiError =>
  new ApiError({
    code: 'CALL_NOT_AUDIBLE',
    message: 'You can listen only to an answered, live LiveKit call',
  });

export const campaignNotFound = (): ApiError =>
  new ApiError({ code: 'CAMPAIGN_NOT_FOUND', message: 'There is no campaign with this id' });

export const contactListNotFound = (): ApiError =>
  new ApiError({ code: 'CONTACT_LIST_NOT_FOUND', message: 'There is no contact list with this id' });

export const contactListInUse = (): ApiError =>
  new ApiError({
    code: 'CONTACT_LIST_IN_USE',
    message: 'A campaign that has not ended uses the contact list. Wait for its end or cancel it',
  });

export const contactNotFound = (): ApiError =>
  new ApiError({ code: 'CONTACT_NOT_FOUND', message: 'The contact list has no contact with this id' });

export const contactExists = (): ApiError =>
  new ApiError({
    code: 'CONTACT_EXISTS',
    message:
      'Another contact of the list has the same `external_id`, or the same number and no `external_id`',
  });

export const importNotFound = (): ApiError =>
  new ApiError({
    code: 'CONTACT_LIST_NOT_FOUND',
    message: 'There is no contact list with this id, or no file of skipped rows for this import',
  });

export const transcriptNotFound = (): ApiError =>
  new ApiError({ code: 'TRANSCRIPT_NOT_FOUND', message: 'The call has no transcript, or it was deleted' });

export const recordingNotFound = (): ApiError =>
  new ApiError({ code: 'RECORDING_NOT_FOUND', message: 'The call has no recording, or it was deleted' });

export const recordingOff = (): ApiError =>
  new ApiError({ code: 'RECORDING_OFF', message: 'Recording is turned off for this call' });

/** `bytes` is the size of the whole recording. */
export const rangeNotSatisfiable = (bytes: number): ApiError =>
  new ApiError({
    code: 'RANGE_NOT_SATISFIABLE',
    message: `The \`Range\` header starts past the end of the recording, which has ${bytes} bytes`,
    headers: { 'Content-Range': `bytes */${bytes}` },
  });

export const callOver = (): ApiError => new ApiError({ code: 'CALL_OVER', message: 'The call has ended' });

export const callTaken = (): ApiError =>
  new ApiError({ code: 'CALL_TAKEN', message: 'Another agent process is already handling the call' });

export const callerNotFound = (): ApiError =>
  new ApiError({ code: 'CALL_NOT_FOUND', message: "There is no caller in the call's LiveKit room" });

export const actionLimit = (max: number): ApiError =>
  new ApiError({
    code: 'ACTION_LIMIT',
    message: `The call has reached its limit of ${max} HTTP action requests that use secret headers`,
  });

export const fileNotFound = (): ApiError =>
  new ApiError({
    code: 'FILE_NOT_FOUND',
    message: 'The contact file is no longer stored',
  });

export const numberInUse = (): ApiError =>
  new ApiError({
    code: 'NUMBER_IN_USE',
    message: 'Another agent already answers this inbound number. Remove it from that agent first',
  });

export const numberNotYours = (): ApiError =>
  new ApiError({
    code: 'NUMBER_NOT_YOURS',
    message: "The organization isn't allowed to use this number. Ask the operator to register it",
  });

export const spendLimitReached = (): ApiError =>
  new ApiError({
    code: 'SPEND_LIMIT_REACHED',
    message:
      'The organization has reached its daily spend limit. Retry tomorrow (UTC) or ask the operator to raise the limit',
  });

export const noFieldsToUpdate = (): ApiError =>
  new ApiError({
    code: 'NO_FIELDS_TO_UPDATE',
    message: 'The request contains no field that can be updated. Send at least one',
  });

export const deliveryNotFound = (): ApiError =>
  new ApiError({ code: 'DELIVERY_NOT_FOUND', message: 'There is no webhook delivery with this id' });

export const keyNotFound = (): ApiError =>
  new ApiError({ code: 'KEY_NOT_FOUND', message: 'There is no API key with this id' });

export const sessionNotFound = (): ApiError =>
  new ApiError({ code: 'SESSION_NOT_FOUND', message: 'The API key has no open session with this id' });

export const tooManyKeys = (max: number): ApiError =>
  new ApiError({
    code: 'TOO_MANY_KEYS',
    message: `The organization already has ${max} valid API keys, which is the maximum. Revoke one first`,
  });

export const quotaExceeded = (name: string, limit: number): ApiError =>
  new ApiError({
    code: 'QUOTA_EXCEEDED',
    message: `The request would exceed the organization's \`${name}\` quota of ${limit.toLocaleString('en')}. Delete data or ask the operator to raise the quota`,
  });

/** Example for the OpenAPI document. */
export const quotaRefusal = (): ApiError => quotaExceeded('contacts', 10_000_000);

export const ruleProfileNotFound = (): ApiError =>
  new ApiError({ code: 'RULE_PROFILE_NOT_FOUND', message: 'There is no rule profile with this name' });

export const ruleProfileReserved = (): ApiError =>
  new ApiError({
    code: 'RULE_PROFILE_RESERVED',
    message: "A shipped rule profile has this name, so it can't be changed or deleted. Choose another name",
  });

export const ruleProfileInUse = (): ApiError =>
  new ApiError({
    code: 'RULE_PROFILE_IN_USE',
    message:
      'The organization or an open campaign uses this rule profile. Give them another profile, or wait until the campaigns have ended',
  });

export const tooManyRuleProfiles = (max: number): ApiError =>
  new ApiError({
    code: 'TOO_MANY_RULE_PROFILES',
    message: `The organization already has ${max} rule profiles, which is the maximum. Delete one first`,
  });

export const tooManySecrets = (): ApiError =>
  new ApiError({
    code: 'TOO_MANY_SECRETS',
    message:
      'Two signing secrets are already valid. Wait until one expires, or rotate with `overlap_hours: 0`',
  });

export const campaignNotEditable = (status: string): ApiError =>
  new ApiError({
    code: 'CAMPAIGN_NOT_EDITABLE',
    message: `The campaign is ${status}, so it can't be changed or forecast`,
  });

export const tooManyContactsLeft = (max: number): ApiError =>
  new ApiError({
    code: 'TOO_MANY_CONTACTS',
    message: `The campaign has more than ${max.toLocaleString('en')} remaining contacts, so it can't be forecast yet`,
  });

export const campaignNotPaused = (status: string): ApiError =>
  new ApiError({
    code: 'CAMPAIGN_NOT_PAUSED',
    message: `The campaign is ${status}. Only a paused campaign can be resumed`,
  });

export const realtimeNotConfigured = (): ApiError =>
  new ApiError({
    code: 'REALTIME_NOT_CONFIGURED',
    message: 'Browser calls and live listening need a media server. Ask the operator to configure LiveKit',
  });

export const outboundNumberNotAllowed = (): ApiError =>
  new ApiError({
    code: 'OUTBOUND_NUMBER_NOT_ALLOWED',
    message: "`outbound_number` is not one of the agent's outbound numbers",
  });

/** `retryAfterS` is at least 1. */
export const rateLimited = (retryAfterS: number, headers: Record<string, string> = {}): ApiError =>
  new ApiError({
    code: 'RATE_LIMITED',
    message: `Too many requests. Retry in ${retryAfterS} s`,
    headers: { ...headers, 'Retry-After': String(retryAfterS) },
  });

export const idempotencyInProgress = (cause?: unknown): ApiError =>
  new ApiError({
    code: 'IDEMPOTENCY_IN_PROGRESS',
    message: 'The first request with this `Idempotency-Key` is still being processed. Retry in 1 s',
    headers: { 'Retry-After': '1' },
    cause,
  });

export const idempotencyKeyReused = (): ApiError =>
  new ApiError({
    code: 'IDEMPOTENCY_KEY_REUSED',
    message: '`Idempotency-Key` was already used for a different request',
  });

export const unsupportedMediaType = (expected: string): ApiError =>
  new ApiError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: `The body must be ${expected}` });

/** Errors of a contact file for the OpenAPI document. Actual responses also name the rows. */
export const contactFileRefusals = (): ApiError[] => [
  new ApiError({ code: 'INVALID_CONTACT_FILE', message: 'The contact file has invalid rows or columns' }),
  new ApiError({ code: 'NO_CONTACTS', message: 'The contact file contains no contacts' }),
  new ApiError({ code: 'TOO_MANY_CONTACTS', message: 'The contact file contains too many contacts' }),
];

const payloadTooLarge = (message: string): ApiError => new ApiError({ code: 'PAYLOAD_TOO_LARGE', message });

export const bodyTooLarge = (maxBytes: number): ApiError =>
  payloadTooLarge(`The body is larger than ${sizeOf(maxBytes)}`);

export const fieldTooLarge = (maxBytes: number): ApiError =>
  payloadTooLarge(`A field of the form is larger than ${sizeOf(maxBytes)}`);

export const tooManyFields = (max: number): ApiError =>
  payloadTooLarge(`The form has more than ${max} fields`);

const MIB = 1024 * 1024;
const sizeOf = (bytes: number): string => (bytes < MIB ? `${bytes / 1024} KiB` : `${bytes / MIB} MiB`);

export const fileTooLarge = (maxBytes: number): ApiError =>
  new ApiError({
    code: 'FILE_TOO_LARGE',
    message: `The contact file is larger than ${sizeOf(maxBytes)}`,
  });

export const serviceUnavailable = (cause?: unknown): ApiError =>
  new ApiError({
    code: 'SERVICE_UNAVAILABLE',
    message: 'The service is temporarily unavailable. Nothing was changed. Retry in 5 s',
    headers: { 'Retry-After': '5' },
    cause,
  });

export const importInterrupted = (cause: unknown): ApiError =>
  new ApiError({
    code: 'SERVICE_UNAVAILABLE',
    message:
      'The service became unavailable during the import. Some contacts are stored. Send the file again, which stores no contact twice',
    headers: { 'Retry-After': '5' },
    cause,
  });

/** Used when one organization, or all of them together, have filled a shared buffer or queue. */
export const shareTaken = (): ApiError =>
  new ApiError({
    code: 'SERVICE_UNAVAILABLE',
    message: 'Too many requests are in progress. Nothing was changed. Retry in 5 s',
    headers: { 'Retry-After': '5' },
  });

export const internalError = (cause: unknown): ApiError =>
  new ApiError({
    code: 'INTERNAL_ERROR',
    message: "An unexpected error occurred. Send the response's `X-Request-Id` to the operator",
    cause,
  });

export const invalidInput = (faults: InputFault[], cause?: unknown): ApiError =>
  new ApiError({
    code: 'VALIDATION_ERROR',
    message: faults.map((fault) => `${fault.loc.slice(1).join('.') || fault.loc[0]}: ${fault.msg}`)[0] ?? '',
    faults: reportedFaults(faults),
    cause,
  });
