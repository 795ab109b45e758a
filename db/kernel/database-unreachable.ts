import { errorCode } from './error-code';

/** Codes for a lost or refused connection, shutdown, startup, exhausted resources, timeout, read-only standby and deadlock. */
const UNREACHABLE = /^(08...|53...|57P0[1-5]|57014|25006|40P01|40001|58...)$/;

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

/** Messages of pg errors without a code, for lost and slow connections. knex prefixes them with the statement. */
const LOST_CONNECTION =
  /(^| - )(Connection terminated( unexpectedly)?|timeout expired|Query read timeout|Client (has encountered a connection error|was closed) and is not queryable)$/;

/** Returns whether Postgres or the connection to it failed, rather than the statement. */
export function isDatabaseUnreachable(error: unknown): boolean {
  const code = errorCode(error);
  if (code !== null && (UNREACHABLE.test(code) || NETWORK.has(code))) return true;
  if (typeof error !== 'object' || error === null) return false;
  if ('name' in error && (error.name === 'KnexTimeoutError' || error.name === 'ConnectionsBusy')) return true;
  return 'message' in error && typeof error.message === 'string' && LOST_CONNECTION.test(error.message);
}
