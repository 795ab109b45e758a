import type Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { ApiState, Endpoint } from '../endpoint';
import { methodNotAllowed, notFound } from '../errors/refusals';

/** What no route took: an unknown path, or a known one with another method, which OPTIONS asks for. */
export const unmatched = (routers: readonly Router<ApiState>[]) => (ctx: Context) => {
  const layers = routers.flatMap((router) => router.match(ctx.path, ctx.method).path);
  if (layers.length === 0) throw notFound();
  answerMethods(ctx, new Set(layers.flatMap(({ methods }) => methods)));
};

/**
 * A path without parameters is that of its own endpoints alone: `PUT /api/campaigns/simulate` changes no campaign whose id is malformed,
 * it is another method. Stands before the routes.
 */
export function fixedPaths(endpoints: readonly Pick<Endpoint, 'method' | 'path'>[]): Middleware {
  const fixed = new Map<string, Set<string>>();
  for (const { method, path } of endpoints) {
    if (path.includes(':')) continue;
    const methods = fixed.get(withoutSlash(path)) ?? new Set();
    fixed.set(withoutSlash(path), methods);
    // As the router has it.
    if (method === 'get') methods.add('HEAD');
    methods.add(method.toUpperCase());
  }
  return async (ctx, next) => {
    const methods = fixed.get(withoutSlash(ctx.path));
    if (methods === undefined || methods.has(ctx.method)) await next();
    else answerMethods(ctx, methods);
  };
}

const withoutSlash = (path: string): string => path.replace(/(.)\/$/, '$1');

function answerMethods(ctx: Context, methods: ReadonlySet<string>): void {
  const allowed = [...methods].join(', ');
  if (ctx.method !== 'OPTIONS') throw methodNotAllowed(allowed);
  ctx.set('Allow', allowed);
  ctx.status = 204;
}
