import { TemporalUnavailable } from '../temporal-port';
import { ApiError, type InputFault } from './api-error';
import { errorCode } from './error-code';
import { internalError, invalidInput, serviceUnavailable } from './refusals';

/** What passed every check of ours and Postgres cannot store: NUL bytes, bad UUIDs, numbers and times that are out of range or none. */
const UNSTORABLE: ReadonlySet<string> = new Set(['22021', '22P05', '22P02', '22003', '22007', '22008']);

/** Connection lost or refused, shutting down, starting, out of resources, time-out, read-only standby, deadlock. */
const AWAY = /^(08...|53...|57P0[1-5]|57014|25006|40P01|40001|58...)$/;

const NETWORK: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** pg reports a lost connection and a slow one without a code; knex puts the statement before its words. */
const LOST_CONNECTION =
  /(^| - )(Connection terminated( unexpectedly)?|timeout expired|Query read timeout|Client (has encountered a connection error|was closed) and is not queryable)$/;

/** The answer that an error stands for. Whatever is not known here is a fault of ours. */
export function classify(error: unknown, loc: string): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof TemporalUnavailable || isDatabaseAway(error)) return serviceUnavailable(error);
  const code = errorCode(error);
  if (code !== null && UNSTORABLE.has(code)) return invalidInput([unstorable(loc)], error);
  return internalError(error);
}

/** What is to be made is there already. */
export const isUniqueViolation = (error: unknown): boolean => errorCode(error) === '23505';

export function isDatabaseAway(error: unknown): boolean {
  const code = errorCode(error);
  if (code !== null && (AWAY.test(code) || NETWORK.has(code))) return true;
  if (typeof error !== 'object' || error === null) return false;
  if ('name' in error && error.name === 'KnexTimeoutError') return true;
  return 'message' in error && typeof error.message === 'string' && LOST_CONNECTION.test(error.message);
}

const unstorable = (loc: string): InputFault => ({
  loc: [loc],
  msg: 'contains a value that cannot be stored',
  type: 'unstorable',
});
