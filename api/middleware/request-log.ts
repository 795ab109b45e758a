import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import { CARRIER_EVENTS_PATH } from '../carrier-events/path';
import type { ApiState } from '../endpoint/context';

/**
 * One line a request, from an allow-list: paths, query strings and bodies hold names and numbers, so the route's pattern stands for
 * the path.
 */
export function requestLog(log: Logger): Middleware<ApiState> {
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    const matched: unknown = '_matchedRoute' in ctx ? ctx._matchedRoute : undefined;
    // An answered call sends about nine events: a line for each would drown everything else.
    const level = matched === CARRIER_EVENTS_PATH && ctx.status < 400 ? 'debug' : 'info';
    log[level](
      {
        method: ctx.method,
        route: typeof matched === 'string' ? matched : 'unknown',
        status: ctx.status,
        ms: Math.round(performance.now() - startedAt),
        requestId: ctx.state.requestId,
        clientId: ctx.state.clientId,
      },
      'request answered',
    );
  };
}
