import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import { CARRIER_EVENTS_PATH } from '../../carriers/http/path';
import type { ApiState } from '../endpoint/context';
import { routeOf } from './matched-route';

/**
 * One line a request, from an allow-list: paths, query strings and bodies hold names and numbers, so the route's pattern stands for
 * the path.
 */
export function requestLog(log: Logger): Middleware<ApiState> {
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    const route = routeOf(ctx);
    // An answered call sends about nine events: a line for each would drown everything else.
    const level = route === CARRIER_EVENTS_PATH && ctx.status < 400 ? 'debug' : 'info';
    log[level](
      { method: ctx.method, route, status: ctx.status, ms: Math.round(performance.now() - startedAt) },
      'request answered',
    );
  };
}
