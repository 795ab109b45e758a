import Router from '@koa/router';
import type { Gates } from './access';
import type { ApiState } from './context';
import type { Endpoint } from './endpoint';

/**
 * Paths are case-sensitive. The first endpoint that matches wins, so a path with a parameter must come after the literal paths that it
 * would match.
 */
export function routerOf(endpoints: readonly Endpoint[], gates: Gates): Router<ApiState> {
  const router = new Router<ApiState>({ sensitive: true });
  for (const { method, path, middleware } of endpoints) {
    // The router accepts both forms of a path that is registered without a trailing slash.
    router[method](path.replace(/(.)\/$/, '$1'), middleware(gates));
  }
  return router;
}
