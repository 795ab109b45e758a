/** Helpers that reserve a request's body in the budget. */
import type { Middleware } from 'koa';
import type { ApiContext, ApiState } from '../endpoint/context';
import { PLATFORM, type BodyBudget } from './body-budget';

/** Assigns this request's body to the organization's share of the budget. */
export function ownedBy(ctx: { state: ApiState }, organization: string): void {
  ctx.state.bodyOwner = { organization };
}

/** Marks a request that was authenticated with an operator's secret. */
export function ownedByPlatform(ctx: { state: ApiState }): void {
  ctx.state.bodyOwner = PLATFORM;
}

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

/** Reads a body of at most `maxBytes` into memory. */
export function withinBudget<T>(
  ctx: ApiContext,
  maxBytes: number,
  read: () => Promise<T>,
  fault?: (bytes: number) => Error | null,
): Promise<T> {
  const { bodies } = ctx.state;
  bodies.reserve(ctx, Math.min(maxBytes, declaredBytes(ctx)));
  return bodies.paced(ctx.req, read, fault);
}

/** Compressed and chunked bodies can have any size. */
function declaredBytes({ request, headers }: ApiContext): number {
  const isPlain = headers['content-encoding'] === undefined && headers['transfer-encoding'] === undefined;
  return isPlain ? (request.length ?? 0) : Infinity;
}
