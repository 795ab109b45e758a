import { randomUUID } from 'node:crypto';
import type { Middleware, Context } from 'koa';
import type { Logger } from 'pino';
import type { ApiState } from './context';
import type { BodyBudget } from './input/body-budget';
import type { ApiMetrics } from './metrics';
import type { Clock } from '../../runtime/clock';
import { framesOf } from '../../runtime/observability/frames';
import type { ApiError } from './errors/api-error';
import { errorBody, classify } from './errors/answer';
import { errorCode } from '../../db/kernel/error-code';

const SAFE_ID = /^[\w-]{1,64}$/;

/** Sets X-Request-Id on every response. Keeps the client's own id if it is safe in a log line. */
export const requestId: Middleware<ApiState> = async (ctx, next) => {
  const given = ctx.get('X-Request-Id');
  ctx.state.requestId = SAFE_ID.test(given) ? given : randomUUID();
  ctx.set('X-Request-Id', ctx.state.requestId);
  await next();
};

/**
 * Logs one line per request. Paths, query strings and bodies hold names and numbers, so it logs the route's pattern instead. Successful
 * requests on quiet routes are logged at `debug`.
 */
export function requestLog(
  log: Logger,
  { quietRoutes }: { quietRoutes: readonly string[] },
): Middleware<ApiState> {
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    const route = routeOf(ctx);
    const level = quietRoutes.includes(route) && ctx.status < 400 ? 'debug' : 'info';
    log[level](
      { method: ctx.method, route, status: ctx.status, ms: Math.round(performance.now() - startedAt) },
      'request answered',
    );
  };
}

/** Counts every request that gets a response, including those without a route. */
export function requestMetrics(metrics: Pick<ApiMetrics, 'requestAnswered'>): Middleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    metrics.requestAnswered({
      method: ctx.method,
      route: routeOf(ctx),
      status: ctx.status,
      seconds: (performance.now() - startedAt) / 1000,
    });
  };
}

/** Returns the pattern of the matched route, or `unknown`. Unlike the path, it is safe to log. */
export function routeOf(ctx: Context): string {
  const matched: unknown = '_matchedRoute' in ctx ? ctx._matchedRoute : undefined;
  return typeof matched === 'string' ? matched : 'unknown';
}

/** While the process stops, every response closes its connection, so that clients reconnect to another process. */
export function closeWhileDraining(isDraining: () => boolean): Middleware {
  return async (ctx, next) => {
    await next();
    if (isDraining()) ctx.set('Connection', 'close');
  };
}

/** How long browsers cache a preflight response. */
const PREFLIGHT_KEPT_S = 600;
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** The console is served from the API's own origin, and carriers, agents and LiveKit aren't browsers. */
const SAME_ORIGIN_ONLY = /^\/api\/(console|carrier|livekit)(\/|$)/;

/**
 * Lets pages of these origins (`CORS_ORIGINS`) read the API. It never allows credentials, so other origins can't use the console's session
 * cookie, and the wildcards below don't cover `Authorization`.
 */
export function cors(origins: readonly string[]): Middleware {
  const allowed = new Set(origins);
  return async (ctx, next) => {
    if (allowed.size > 0 && ctx.path.startsWith('/api/') && !SAME_ORIGIN_ONLY.test(ctx.path)) {
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

/** The only place that turns exceptions into responses, in the error shape of the endpoint. */
export function answerErrors({ log, clock }: { log: Logger; clock: Clock }): Middleware<ApiState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = classify(thrown, ctx.method === 'GET' || ctx.method === 'HEAD' ? 'query' : 'body');
      if (error.status >= 500) report(log, error);
      answer(ctx, error, ctx.state, clock.now());
    }
  };
}

function answer(ctx: Context, error: ApiError, state: ApiState, now: number): void {
  ctx.status = error.status;
  ctx.set(error.headers);
  ctx.body = errorBody(state.errorFamily ?? 'detail', error, {
    path: ctx.path,
    requestId: state.requestId,
    now,
  });
}

/** Logs names, codes and frames only, because a database error's message may quote values of a row. */
function report(log: Logger, error: ApiError): void {
  const causes: { name: string; code: string | null; frames: string[] }[] = [];
  for (let cause = error.cause; isErrorLike(cause) && causes.length < 4; cause = cause.cause) {
    causes.push({ name: cause.name, code: errorCode(cause), frames: framesOf(cause.stack, 6) });
  }
  const level = error.status === 500 ? 'error' : 'warn';
  log[level]({ status: error.status, code: error.code, causes }, 'request failed');
}

const isErrorLike = (value: unknown): value is Error =>
  typeof value === 'object' && value !== null && 'name' in value && 'message' in value;

/** Errors of a client that disconnected during the response, which aren't our fault. */
const CLIENT_LEFT: ReadonlySet<string> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/**
 * Logs an error that occurs while a response is being sent. The status has already been sent and the connection is closed, so operators
 * have only this line.
 */
export const brokenAnswer =
  (log: Logger) =>
  (error: Error, ctx?: Context): void => {
    const code = errorCode(error);
    if (code !== null && CLIENT_LEFT.has(code)) log.debug({ code }, 'client left before the response ended');
    else
      log.warn(
        { request_id: ctx?.state.requestId, name: error.name, code },
        'response failed while it was being sent',
      );
  };

/** Releases everything that a request holds once it is handled. Install it before any middleware that reads a body. */
export const heldWhileHandled =
  (bodies: BodyBudget): Middleware<ApiState> =>
  async (ctx, next) => {
    ctx.state.bodies = bodies;
    ctx.state.releases = [];
    try {
      await next();
    } finally {
      for (const release of ctx.state.releases) await release();
    }
  };
