import type { Middleware } from 'koa';

/** How long browsers cache a preflight response. */
const PREFLIGHT_KEPT_S = 600;
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** The console is served from the API's own origin, and carriers, agents and LiveKit aren't browsers. */
const NOT_SHARED = /^\/api\/(console|carrier|livekit)(\/|$)/;

/**
 * Lets pages of these origins (`CORS_ORIGINS`) read the API. It never allows credentials, so other origins can't use the console's session
 * cookie, and the wildcards below don't cover `Authorization`.
 */
export function cors(origins: readonly string[]): Middleware {
  const allowed = new Set(origins);
  return async (ctx, next) => {
    if (allowed.size > 0 && ctx.path.startsWith('/api/') && !NOT_SHARED.test(ctx.path)) {
      ctx.vary('Origin');
      const origin = ctx.get('Origin');
      if (allowed.has(origin)) {
        ctx.set('Access-Control-Allow-Origin', origin);
        ctx.set('Access-Control-Expose-Headers', '*');
        if (ctx.method === 'OPTIONS') {
          ctx.set('Access-Control-Allow-Methods', METHODS);
          ctx.set('Access-Control-Allow-Headers', '*');
          ctx.set('Access-Control-Max-Age', `${PREFLIGHT_KEPT_S}`);
        }
      }
    }
    await next();
  };
}
