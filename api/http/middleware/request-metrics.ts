import type { Middleware } from 'koa';
import type { ApiMetrics } from '../observability/api-metrics';
import { routeOf } from './matched-route';

/** Counts every request that gets a response, including those without a route. */
export function requestMetrics(metrics: Pick<ApiMetrics, 'requestAnswered'>): Middleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    metrics.requestAnswered({
      method: ctx.method,
      route: routeOf(ctx),
      status: ctx.status,
      seconds: (performance.now() - startedAt) / 1000,
    });
  };
}
