import type { Context } from 'koa';
import type { Logger } from 'pino';
import { errorCode } from '../../../db/kernel/error-code';

/** The client went away in mid-answer: its own affair. */
const GONE: ReadonlySet<string> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/**
 * Called with the fault of an answer that was begun and not finished. Its status was sent before, and its connection is cut, so that nobody takes it for
 * whole; this line alone shows operators why.
 */
export const brokenAnswer =
  (log: Logger) =>
  (error: Error, ctx?: Context): void => {
    const code = errorCode(error);
    if (code !== null && GONE.has(code)) log.debug({ code }, 'answer was not taken');
    else log.warn({ request_id: ctx?.state.requestId, name: error.name, code }, 'answer broke off');
  };
