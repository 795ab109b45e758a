/** Helpers for requests that reserve their body in the budget. */
import type { Middleware } from 'koa';
import type { ApiContext, ApiState } from '../endpoint/context';
import { PLATFORM, type BodyBudget } from './body-budget';

/** Counts the body of this request for its organization. */
export function ownedBy(ctx: { state: ApiState }, organization: string): void {
  ctx.state.bodyOwner = { organization };
}

/** The request has shown a secret of the operator. */
export function ownedByPlatform(ctx: { state: ApiState }): void {
  ctx.state.bodyOwner = PLATFORM;
}

/** Gives back what a request held once it was handled, whatever the outcome. Stands before everything that reads a body. */
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

/** Reads a body of at most so many bytes in memory. */
export function withinBudget<T>(
  ctx: ApiContext,
  mostBytes: number,
  read: () => Promise<T>,
  fault?: (bytes: number) => Error | null,
): Promise<T> {
  const { bodies } = ctx.state;
  bodies.reserve(ctx, Math.min(mostBytes, declaredBytes(ctx)));
  return bodies.paced(ctx.req, read, fault);
}

/** A body that is packed or comes in chunks can have any size. */
function declaredBytes({ request, headers }: ApiContext): number {
  const isPlain = headers['content-encoding'] === undefined && headers['transfer-encoding'] === undefined;
  return isPlain ? (request.length ?? 0) : Infinity;
}
