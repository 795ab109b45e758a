import { timingSafeEqual } from 'node:crypto';
import type { ApiContext } from '../endpoint/context';
import { notAuthorised } from '../errors/refusals';
import { ownedByPlatform } from '../input/within-budget';

const SCHEME = 'Bearer ';

/** What is shown as `Authorization: Bearer …`; empty for nothing. */
export function bearerOf(ctx: ApiContext): string {
  const header = ctx.get('authorization');
  return header.startsWith(SCHEME) ? header.slice(SCHEME.length) : '';
}

/** The carrier, and our own agent, show the secret that each shares with us instead of an API key. Without a secret nobody is let in. */
export function assertBearer(ctx: ApiContext, secret: string | null): void {
  const given = Buffer.from(bearerOf(ctx));
  const expected = Buffer.from(secret ?? '');
  if (expected.length === 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw notAuthorised();
  }
  ownedByPlatform(ctx);
}
