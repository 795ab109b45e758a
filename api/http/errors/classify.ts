import { isDatabaseUnreachable } from '../../../db/kernel/database-unreachable';
import { PageTooFar } from '../../../db/kernel/list-page';
import { MAX_COUNTED } from '../../../domain/count-limits';
import { StorageUnavailable } from '../../../runtime/storage/file-storage';
import { TemporalUnavailable } from './temporal-unavailable';
import { ApiError, type InputFault } from './api-error';
import { errorCode } from '../../../db/kernel/error-code';
import { internalError, invalidInput, serviceUnavailable } from './refusals';

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

const isUnreachable = (error: unknown): boolean =>
  error instanceof TemporalUnavailable || error instanceof StorageUnavailable || isDatabaseUnreachable(error);

export const isUniqueViolation = (error: unknown): boolean => errorCode(error) === '23505';

const TOO_FAR: InputFault = {
  loc: ['query', 'page'],
  msg: `must start within the first ${MAX_COUNTED.toLocaleString('en')} rows; use filters to narrow the list`,
  type: 'number.max',
};

const unstorable = (loc: string): InputFault => ({
  loc: [loc],
  msg: 'contains a value that cannot be stored',
  type: 'unstorable',
});
