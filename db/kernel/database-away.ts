import { errorCode } from './error-code';

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

/** Whether Postgres, or the way to it, is what failed, and not the statement. */
export function isDatabaseAway(error: unknown): boolean {
  const code = errorCode(error);
  if (code !== null && (AWAY.test(code) || NETWORK.has(code))) return true;
  if (typeof error !== 'object' || error === null) return false;
  if ('name' in error && (error.name === 'KnexTimeoutError' || error.name === 'ConnectionsBusy')) return true;
  return 'message' in error && typeof error.message === 'string' && LOST_CONNECTION.test(error.message);
}
