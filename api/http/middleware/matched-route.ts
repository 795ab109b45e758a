import type { Context } from 'koa';

/** Returns the pattern of the matched route, or `unknown`. Unlike the path, it is safe to log. */
export function routeOf(ctx: Context): string {
  const matched: unknown = '_matchedRoute' in ctx ? ctx._matchedRoute : undefined;
  return typeof matched === 'string' ? matched : 'unknown';
}
