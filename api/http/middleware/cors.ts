import type { Middleware } from 'koa';

/** For how long a browser keeps the answer to a preflight. */
const PREFLIGHT_KEPT_S = 600;
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** The console's pages are of this origin. Carriers, agents and LiveKit are no browsers. */
const NOT_SHARED = /^\/api\/(console|carrier|livekit)(\/|$)/;

/**
 * Lets pages of these origins (`CORS_ORIGINS`) read the API. It never allows credentials, so no page of another origin can use the cookie of
 * a console session, and the wildcards below do not cover `Authorization`.
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
