import type { Context } from 'koa';

/** The pattern of the route that took the request; `unknown` where none did. It may be logged where the path must not. */
export function routeOf(ctx: Context): string {
  const matched: unknown = '_matchedRoute' in ctx ? ctx._matchedRoute : undefined;
  return typeof matched === 'string' ? matched : 'unknown';
}
