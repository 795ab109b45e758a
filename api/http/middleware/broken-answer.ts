import type { Context } from 'koa';
import type { Logger } from 'pino';
import { errorCode } from '../../../db/kernel/error-code';

/** Errors of a client that disconnected during the response, which aren't our fault. */
const GONE: ReadonlySet<string> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/**
 * Logs an error that occurs while a response is being sent. The status has already been sent and the connection is closed, so operators
 * have only this line.
 */
export const brokenAnswer =
  (log: Logger) =>
  (error: Error, ctx?: Context): void => {
    const code = errorCode(error);
    if (code !== null && GONE.has(code)) log.debug({ code }, 'client left before the response ended');
    else
      log.warn(
        { request_id: ctx?.state.requestId, name: error.name, code },
        'response failed while it was being sent',
      );
  };
