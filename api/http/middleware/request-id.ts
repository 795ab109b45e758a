import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { ApiState } from '../endpoint/context';

const KEPT = /^[\w-]{1,64}$/;

/** Every answer carries X-Request-Id; the caller's own is kept where it is harmless in a log line. */
export const requestId: Middleware<ApiState> = async (ctx, next) => {
  const given = ctx.get('X-Request-Id');
  ctx.state.requestId = KEPT.test(given) ? given : randomUUID();
  ctx.set('X-Request-Id', ctx.state.requestId);
  await next();
};
