import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import type { Clock } from '../../../runtime/clock';
import { framesOf } from '../../../runtime/observability/frames';
import type { ApiError } from '../errors/api-error';
import { errorBody } from '../errors/answer';
import { classify } from '../errors/classify';
import { errorCode } from '../../../db/kernel/error-code';
import type { ApiState } from '../endpoint/context';

/** The only place that turns exceptions into responses, in the error shape of the endpoint. */
export function answerErrors({ log, clock }: { log: Logger; clock: Clock }): Middleware<ApiState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = classify(thrown, ctx.method === 'GET' || ctx.method === 'HEAD' ? 'query' : 'body');
      if (error.status >= 500) report(log, error);
      answer(ctx, error, ctx.state, clock.now());
    }
  };
}

function answer(ctx: Context, error: ApiError, state: ApiState, now: number): void {
  ctx.status = error.status;
  ctx.set(error.headers);
  ctx.body = errorBody(state.errorFamily ?? 'detail', error, {
    path: ctx.path,
    requestId: state.requestId,
    now,
  });
}

/** Logs names, codes and frames only, because a database error's message may quote values of a row. */
function report(log: Logger, error: ApiError): void {
  const causes: { name: string; code: string | null; frames: string[] }[] = [];
  for (let cause = error.cause; isErrorLike(cause) && causes.length < 4; cause = cause.cause) {
    causes.push({ name: cause.name, code: errorCode(cause), frames: framesOf(cause.stack, 6) });
  }
  const level = error.status === 500 ? 'error' : 'warn';
  log[level]({ status: error.status, code: error.code, causes }, 'request failed');
}

const isErrorLike = (value: unknown): value is Error =>
  typeof value === 'object' && value !== null && 'name' in value && 'message' in value;
