import type { JsonObject } from '../../../domain/json';
import type { ApiContext } from '../../http/endpoint';
import { invalidInput } from '../../http/errors/refusals';
import { jsonBody } from '../../http/input/json-body';
import { readCarrierEvent, type CarrierEvent } from './event';

/** The longest event reports every turn of an hour's talk. */
const MOST_VALUES = 20_000;

/** Text that `readCarrierEvent` makes storable. To refuse the event would lose what was said for half of an emoji. */
export const CLEANED_FIELDS = ['text', 'language', 'from', 'news', 'models'] as const;

export const readEvent = async (ctx: ApiContext): Promise<CarrierEvent> =>
  eventIn(
    await jsonBody(ctx, { mostValues: MOST_VALUES, mayLoseDigits: true, checkedApart: CLEANED_FIELDS }),
  );

/** The faults name fields, never values: these hold what was said. */
export function eventIn(body: JsonObject): CarrierEvent {
  const read = readCarrierEvent(body);
  if ('event' in read) return read.event;
  throw invalidInput(
    read.faults.map((name) => ({ loc: ['body', name], msg: 'is not of the protocol', type: 'event' })),
  );
}
