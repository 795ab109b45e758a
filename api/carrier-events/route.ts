import { timingSafeEqual } from 'node:crypto';
import Router from '@koa/router';
import { invalidInput, notAuthorised } from '../errors/refusals';
import { jsonBody } from '../input/json-body';
import { endpoint, type ApiContext, type ApiState } from '../pipeline';
import { CARRIER_EVENTS_PATH } from './path';
import { readCarrierEvent, type CarrierEvent } from './event';
import { eventReceiver, type CarrierEventDependencies, type EventAnswer } from './receive-event';

/** Where the carrier tells what becomes of calls. It has a secret of its own instead of an API key. */
export function carrierEventRoutes(
  deps: CarrierEventDependencies,
  carrierSecret: string | null,
): Router<ApiState> {
  const receive = eventReceiver(deps);
  const router = new Router<ApiState>();
  router.post(
    CARRIER_EVENTS_PATH,
    endpoint<void, CarrierEvent, EventAnswer>({
      authenticate: (ctx) => {
        if (carrierSecret === null || !isCarrier(ctx, carrierSecret)) throw notAuthorised();
      },
      validate: async (ctx) => {
        const read = readCarrierEvent(await jsonBody(ctx));
        if ('event' in read) return read.event;
        throw invalidInput(
          read.faults.map((name) => ({ loc: ['body', name], msg: 'is not of the protocol', type: 'event' })),
        );
      },
      handle: receive,
      present: (answer) => answer,
    }),
  );
  return router;
}

function isCarrier(ctx: ApiContext, secret: string): boolean {
  const given = Buffer.from(ctx.get('authorization'));
  const expected = Buffer.from(`Bearer ${secret}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
