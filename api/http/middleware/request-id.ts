import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { ApiState } from '../endpoint/context';

const KEPT = /^[\w-]{1,64}$/;

/** Sets X-Request-Id on every response. Keeps the client's own id if it is safe in a log line. */
export const requestId: Middleware<ApiState> = async (ctx, next) => {
  const given = ctx.get('X-Request-Id');
  ctx.state.requestId = KEPT.test(given) ? given : randomUUID();
  ctx.set('X-Request-Id', ctx.state.requestId);
  await next();
};
