import type { Middleware } from 'koa';

/** While the process stops, every response closes its connection, so that clients reconnect to another process. */
export function closeWhileDraining(isDraining: () => boolean): Middleware {
  return async (ctx, next) => {
    await next();
    if (isDraining()) ctx.set('Connection', 'close');
  };
}
