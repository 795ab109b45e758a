import type { Context } from 'koa';
import type { Logger } from 'pino';
import { errorCode } from '../../../db/kernel/error-code';

/** The client disconnected during the response, which isn't our error. */
const GONE: ReadonlySet<string> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/**
 * Logs an error that occurs while a response is being sent. The status is already out and the connection is cut, so this line is the only
 * trace for operators.
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
