import type { JsonObject } from '../../../domain/json';
import type { ApiContext } from '../../http/endpoint';
import { invalidInput } from '../../http/errors/refusals';
import { jsonBody } from '../../http/input/json-body';
import { readCarrierEvent, type CarrierEvent } from './event';

/** The longest event reports every turn of an hour-long call. */
const MOST_VALUES = 20_000;

/** Fields that `readCarrierEvent` cleans. Rejecting the event for half an emoji would lose what was said. */
export const CLEANED_FIELDS = ['text', 'language', 'from', 'news', 'models'] as const;

export const readEvent = async (ctx: ApiContext): Promise<CarrierEvent> =>
  eventIn(
    await jsonBody(ctx, { mostValues: MOST_VALUES, mayLoseDigits: true, checkedApart: CLEANED_FIELDS }),
  );

/** Faults name fields but not values, which may contain what was said. */
export function eventIn(body: JsonObject): CarrierEvent {
  const read = readCarrierEvent(body);
  if ('event' in read) return read.event;
  throw invalidInput(
    read.faults.map((name) => ({
      loc: ['body', name],
      msg: 'does not match the carrier protocol',
      type: 'event',
    })),
  );
}
