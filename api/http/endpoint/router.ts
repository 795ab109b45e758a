import Router from '@koa/router';
import type { Gates } from './access';
import type { ApiState } from './context';
import type { Endpoint } from './endpoint';

/**
 * Paths are as the interface writes them, to the case. Endpoints are tried in their order: a path with a parameter comes after those
 * that it would be taken for.
 */
export function routerOf(endpoints: readonly Endpoint[], gates: Gates): Router<ApiState> {
  const router = new Router<ApiState>({ sensitive: true });
  for (const { method, path, middleware } of endpoints) {
    // Without the slash at the end the router takes it either way.
    router[method](path.replace(/(.)\/$/, '$1'), middleware(gates));
  }
  return router;
}
