import type { ApiContext } from '../endpoint';
import type { IdempotentAnswer } from './idempotent';
import { REPLAYED } from './key';

/** The body as it was presented when it was made; a header says that this was for an earlier request. */
export function presentIdempotent<Body>({ body, replayed }: IdempotentAnswer<Body>, ctx: ApiContext): Body {
  if (replayed) ctx.set(REPLAYED, 'true');
  return body;
}
