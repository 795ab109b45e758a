import { timingSafeEqual } from 'node:crypto';
import Router from '@koa/router';
import { invalidInput, notAuthorised } from '../errors/refusals';
import { jsonBody } from '../input/json-body';
import type { ApiContext, ApiState } from '../endpoint';
import { CARRIER_EVENTS_PATH } from './path';
import { readCarrierEvent, type CarrierEvent } from './event';
import { eventReceiver, type CarrierEventDependencies } from './receive-event';

/** Where the carrier tells what becomes of calls. It has a secret of its own instead of an API key. */
export function carrierEventRoutes(
  deps: CarrierEventDependencies,
  carrierSecret: string | null,
): Router<ApiState> {
  const receive = eventReceiver(deps);
  const router = new Router<ApiState>();
  router.post(CARRIER_EVENTS_PATH, async (ctx) => {
    if (carrierSecret === null || !isCarrier(ctx, carrierSecret)) throw notAuthorised();
    ctx.body = await receive(await readEvent(ctx));
  });
  return router;
}

async function readEvent(ctx: ApiContext): Promise<CarrierEvent> {
  const read = readCarrierEvent(await jsonBody(ctx));
  if ('event' in read) return read.event;
  throw invalidInput(
    read.faults.map((name) => ({ loc: ['body', name], msg: 'is not of the protocol', type: 'event' })),
  );
}

function isCarrier(ctx: ApiContext, secret: string): boolean {
  const given = Buffer.from(ctx.get('authorization'));
  const expected = Buffer.from(`Bearer ${secret}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
