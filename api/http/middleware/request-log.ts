import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { ApiState } from '../endpoint/context';
import { routeOf } from './matched-route';

/**
 * Logs one line per request. Paths, query strings and bodies hold names and numbers, so it logs the route's pattern instead. Successful
 * requests on quiet routes are logged at `debug`.
 */
export function requestLog(
  log: Logger,
  { quietRoutes }: { quietRoutes: readonly string[] },
): Middleware<ApiState> {
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    const route = routeOf(ctx);
    const level = quietRoutes.includes(route) && ctx.status < 400 ? 'debug' : 'info';
    log[level](
      { method: ctx.method, route, status: ctx.status, ms: Math.round(performance.now() - startedAt) },
      'request answered',
    );
  };
}
