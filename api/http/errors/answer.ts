import { STATUS_CODES } from 'node:http';
import { assertNever } from '../../../domain/assert-never';
import type { ApiError } from './api-error';

/**
 * Shape of an endpoint's error body. `detail` is the common one, `dispatch` adds the fields of a dispatch response, and `envelope` is
 * used by campaign create, simulate and contact file preview.
 */
export type ErrorFamily = 'detail' | 'dispatch' | 'envelope';

export interface ErrorContext {
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
