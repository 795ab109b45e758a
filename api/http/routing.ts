import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { Gates, Endpoint } from './endpoint';
import type { ApiState } from './context';
import { methodNotAllowed, notFound } from './errors/refusals';

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

/** Handles requests without a route: 404 for an unknown path, 405 or OPTIONS for a known path with another method. */
export const unmatched = (routers: readonly Router<ApiState>[]) => (ctx: Context) => {
  const layers = routers.flatMap((router) => router.match(ctx.path, ctx.method).path);
  if (layers.length === 0) throw notFound();
  answerMethods(ctx, new Set(layers.flatMap(({ methods }) => methods)));
};

/**
 * If a request matches two paths, the one with fewer parameters wins. For example, `PUT /api/campaigns/simulate` is a 405 and doesn't
 * update a campaign with a malformed id. Install it before the routes.
 */
export function closestPath(endpoints: readonly Pick<Endpoint, 'method' | 'path'>[]): Middleware {
  const patterns = new Map<string, Pattern>();
  for (const { method, path } of endpoints) {
    const pattern = patterns.get(withoutSlash(path)) ?? patternOf(path);
    patterns.set(withoutSlash(path), pattern);
    // The router also answers HEAD for every GET.
    if (method === 'get') pattern.methods.add('HEAD');
    pattern.methods.add(method.toUpperCase());
  }
  const all = [...patterns.values()];
  // Only the few patterns that overlap another one need this check.
  const within = all
    .filter((one) => all.some((other) => other !== one && fits(one.segments, other)))
    .sort((a, b) => parametersOf(a) - parametersOf(b));
  return async (ctx, next) => {
    const segments = segmentsOf(ctx.path);
    const closest = within.find((pattern) => fits(segments, pattern));
    if (closest === undefined || closest.methods.has(ctx.method)) await next();
    else answerMethods(ctx, closest.methods);
  };
}

interface Pattern {
  segments: readonly string[];
  methods: Set<string>;
}

const segmentsOf = (path: string): string[] => withoutSlash(path).split('/');
const patternOf = (path: string): Pattern => ({ segments: segmentsOf(path), methods: new Set() });
const isParameter = (segment: string): boolean => segment.startsWith(':');
const parametersOf = ({ segments }: Pattern): number => segments.filter(isParameter).length;

/** `path` is the path of a request or of another pattern. A parameter matches any segment. */
const fits = (path: readonly string[], { segments }: Pattern): boolean =>
  path.length === segments.length &&
  segments.every((segment, nth) => (isParameter(segment) ? path[nth] !== '' : segment === path[nth]));

const withoutSlash = (path: string): string => path.replace(/(.)\/$/, '$1');

function answerMethods(ctx: Context, methods: ReadonlySet<string>): void {
  const allowed = [...methods].join(', ');
  if (ctx.method !== 'OPTIONS') throw methodNotAllowed(allowed);
  ctx.set('Allow', allowed);
  ctx.status = 204;
}
