import Router from '@koa/router';
import { assertBearer } from '../../http/auth/bearer-secret';
import type { ApiState } from '../../http/context';
import { readEvent, type CarrierEvent } from './event';
import type { EventAnswer } from './receive-event';

/** Path below the public URL. The worker sends the carrier the whole URL with each call. */
export const CARRIER_EVENTS_PATH = '/api/carrier/events';
/** Path to which an agent sends the events of its call. */
export const AGENT_EVENTS_ROUTE = '/api/carrier/calls/:call_id/events';

/**
 * Receives the carrier's events. The carrier authenticates with its own secret. All sources of events for the same calls share `receive`, so
 * that an end doesn't overtake an answer.
 */
export function carrierEventRoutes(
  receive: (event: CarrierEvent) => Promise<EventAnswer>,
  carrierSecret: string | null,
): Router<ApiState> {
  const router = new Router<ApiState>();
  router.post(CARRIER_EVENTS_PATH, async (ctx) => {
    assertBearer(ctx, carrierSecret);
    ctx.body = await receive(await readEvent(ctx));
  });
  return router;
}
