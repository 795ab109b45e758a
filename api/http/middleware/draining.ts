import type { Middleware } from 'koa';

/** While the process stops, every answer ends its connection: clients come back to another process. */
export function closeWhileDraining(isDraining: () => boolean): Middleware {
  return async (ctx, next) => {
    await next();
    if (isDraining()) ctx.set('Connection', 'close');
  };
}
