import Router from '@koa/router';
import { assertCarrier } from '../../http/auth/carrier-secret';
import { invalidInput } from '../../http/errors/refusals';
import { jsonBody } from '../../http/input/json-body';
import type { ApiContext, ApiState } from '../../http/endpoint';
import { CARRIER_EVENTS_PATH } from './path';
import { readCarrierEvent, type CarrierEvent } from './event';
import { eventReceiver, type CarrierEventDependencies } from './receive-event';

/** Of an event: the longest reports every turn of an hour's talk. */
const MOST_VALUES = 20_000;

/**
 * Where the carrier reports what becomes of calls. It has a secret of its own instead of an API key. `receive` is shared with whatever else
 * reports the same calls, so that an end overtakes no answer.
 */
export function carrierEventRoutes(
  deps: CarrierEventDependencies,
  carrierSecret: string | null,
  receive = eventReceiver(deps),
): Router<ApiState> {
  const router = new Router<ApiState>();
  router.post(CARRIER_EVENTS_PATH, async (ctx) => {
    assertCarrier(ctx, carrierSecret);
    ctx.body = await receive(await readEvent(ctx));
  });
  return router;
}

async function readEvent(ctx: ApiContext): Promise<CarrierEvent> {
  const read = readCarrierEvent(await jsonBody(ctx, { mostValues: MOST_VALUES }));
  if ('event' in read) return read.event;
  throw invalidInput(
    read.faults.map((name) => ({ loc: ['body', name], msg: 'is not of the protocol', type: 'event' })),
  );
}
