import type Router from '@koa/router';
import type { Context } from 'koa';
import type { ApiState } from '../endpoint';
import { methodNotAllowed, notFound } from '../errors/refusals';

/** What no route took: an unknown path, or a known one with another method, which OPTIONS asks for. */
export const unmatched = (routers: readonly Router<ApiState>[]) => (ctx: Context) => {
  const layers = routers.flatMap((router) => router.match(ctx.path, ctx.method).path);
  if (layers.length === 0) throw notFound();
  const allowed = [...new Set(layers.flatMap(({ methods }) => methods))].join(', ');
  if (ctx.method !== 'OPTIONS') throw methodNotAllowed(allowed);
  ctx.set('Allow', allowed);
  ctx.status = 204;
};
