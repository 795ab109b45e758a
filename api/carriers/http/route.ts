import Router from '@koa/router';
import { assertBearer } from '../../http/auth/bearer-secret';
import type { ApiState } from '../../http/endpoint';
import { CARRIER_EVENTS_PATH } from './path';
import { readEvent } from './read-event';
import { eventReceiver, type CarrierEventDependencies } from './receive-event';

/**
 * Receives the carrier's events. The carrier authenticates with its own secret. All sources of events for the same calls share `receive`, so
 * that an end doesn't overtake an answer.
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
