import Router from '@koa/router';
import { assertBearer } from '../../http/auth/bearer-secret';
import type { ApiState } from '../../http/endpoint';
import { CARRIER_EVENTS_PATH } from './path';
import { readEvent } from './read-event';
import { eventReceiver, type CarrierEventDependencies } from './receive-event';

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
    assertBearer(ctx, carrierSecret);
    ctx.body = await receive(await readEvent(ctx));
  });
  return router;
}
