import { STATUS_CODES } from 'node:http';
import { randomUUID } from 'node:crypto';
import { assertNever } from '../../../domain/assert-never';
import { ApiError, TemporalUnavailable, type InputFault } from './api-error';
import { isDatabaseUnreachable } from '../../../db/kernel/database-unreachable';
import { PageTooFar } from '../../../db/kernel/list-page';
import { MAX_COUNTED } from '../../../domain/count-limits';
import { StorageUnavailable } from '../../../runtime/storage/file-storage';
import { errorCode } from '../../../db/kernel/error-code';
import { internalError, invalidInput, serviceUnavailable } from './refusals';

/**
 * Shape of an endpoint's error body. `detail` is the common one, `dispatch` adds the fields of a dispatch response, and `envelope` is
 * used by campaign create, simulate and contact file preview.
 */
export type ErrorFamily = 'detail' | 'dispatch' | 'envelope';

interface ErrorContext {
  path: string;
  requestId: string;
  now: number;
}

export function errorBody(family: ErrorFamily, error: ApiError, context: ErrorContext): object {
  switch (family) {
    case 'detail':
      return { detail: detailOf(error) };
    case 'dispatch':
      return {
        success: false,
        message: error.message,
        output: null,
        error: error.code,
        detail: detailOf(error),
      };
    case 'envelope':
      return envelope(error, context);
    default:
      return assertNever(family);
  }
}

function detailOf(error: ApiError): object {
  if (error.faults !== undefined) return error.faults.map(({ loc, msg, type }) => ({ loc, msg, type }));
  return { code: error.code, message: error.message };
}

function envelope(error: ApiError, { path, requestId, now }: ErrorContext): object {
  const details =
    error.details ??
    error.faults?.map(({ loc, msg }) => ({ field: loc.slice(1).join('.') || loc[0], reason: msg }));
  return {
    status_code: error.status,
    error: STATUS_CODES[error.status] ?? 'Error',
    message: error.message,
    code: error.code,
    path,
    timestamp: new Date(now).toISOString(),
    request_id: requestId,
    ...(details === undefined ? {} : { details }),
    ...(error.detailsTotal === undefined ? {} : { details_total: error.detailsTotal }),
  };
}

/** Serializes an error for a request that never reaches the app. It closes the connection. */
export function rawAnswer(refusal: ApiError): string {
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody('detail', refusal, { path: '', requestId, now: 0 }));
  return [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Content-Security-Policy: default-src 'none'",
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
    ...Object.entries(refusal.headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');
}

/** SQLSTATEs for values that pass our validation but that Postgres can't store: NUL bytes, malformed UUIDs, numbers and times out of range. */
const UNSTORABLE: ReadonlySet<string> = new Set(['22021', '22P05', '22P02', '22003', '22007', '22008']);

/** Maps any thrown value to a response. Unknown errors become a 500. */
export function classify(error: unknown, loc: string): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof PageTooFar) return invalidInput([TOO_FAR], error);
  if (isUnreachable(error)) return serviceUnavailable(error);
  const code = errorCode(error);
  if (code !== null && UNSTORABLE.has(code)) return invalidInput([unstorable(loc)], error);
  return internalError(error);
}

export const isUnreachable = (error: unknown): boolean =>
  error instanceof TemporalUnavailable || error instanceof StorageUnavailable || isDatabaseUnreachable(error);

export const isUniqueViolation = (error: unknown): boolean => errorCode(error) === '23505';

const TOO_FAR: InputFault = {
  loc: ['query', 'page'],
  msg: `is too high: only the first ${MAX_COUNTED.toLocaleString('en')} rows can be listed. Use filters to narrow the list`,
  type: 'number.max',
};

const unstorable = (loc: string): InputFault => ({
  loc: [loc],
  msg: 'contains a value that cannot be stored',
  type: 'unstorable',
});
