import { timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import { notAuthorised } from '../errors/refusals';

/**
 * What carries calls, the carrier and our own agent, shows the secret that it shares with us instead of an API key. Without a secret
 * nobody is let in.
 */
export function assertCarrier(ctx: Context, secret: string | null): void {
  const given = Buffer.from(ctx.get('authorization'));
  const expected = Buffer.from(`Bearer ${secret ?? ''}`);
  if (secret === null || given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw notAuthorised();
  }
}
