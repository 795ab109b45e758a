import { timingSafeEqual } from 'node:crypto';
import type { ApiContext } from '../context';
import { notAuthorised } from '../errors/refusals';
import { PLATFORM } from '../input/body-budget';

const SCHEME = 'Bearer ';

/** Returns the token of `Authorization: Bearer …`, or an empty string. */
export function bearerOf(ctx: ApiContext): string {
  const header = ctx.get('authorization');
  return header.startsWith(SCHEME) ? header.slice(SCHEME.length) : '';
}

/** Authenticates the carrier or our own agent by its shared secret. Rejects everything if no secret is configured. */
export function assertBearer(ctx: ApiContext, secret: string | null): void {
  const given = Buffer.from(bearerOf(ctx));
  const expected = Buffer.from(secret ?? '');
  if (expected.length === 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw notAuthorised();
  }
  ctx.state.bodyOwner = PLATFORM;
}
