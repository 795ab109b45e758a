import type { ApiContext } from '../endpoint';
import type { IdempotentAnswer } from './idempotent';
import { REPLAYED } from './key';

/** Returns the body as it was first sent. A header marks a replayed response. */
export function presentIdempotent<Body>({ body, replayed }: IdempotentAnswer<Body>, ctx: ApiContext): Body {
  if (replayed) ctx.set(REPLAYED, 'true');
  return body;
}
