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
 * Of two paths that a request fits, the one with fewer parameters is meant: `PUT /api/campaigns/simulate` changes no campaign whose id is
 * malformed, and `PATCH /api/agent/{id}/restore` no section of that name; it is another method. Stands before the routes.
 */
export function closestPath(endpoints: readonly Pick<Endpoint, 'method' | 'path'>[]): Middleware {
  const patterns = new Map<string, Pattern>();
  for (const { method, path } of endpoints) {
    const pattern = patterns.get(withoutSlash(path)) ?? patternOf(path);
    patterns.set(withoutSlash(path), pattern);
    // As the router has it.
    if (method === 'get') pattern.methods.add('HEAD');
    pattern.methods.add(method.toUpperCase());
  }
  const all = [...patterns.values()];
  // Few: no other request is looked at again.
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

/** Of a request, or of another pattern: a parameter fits a parameter. */
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
