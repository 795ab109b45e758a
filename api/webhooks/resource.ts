import { DELIVERY_STATUSES } from '../../domain/delivery-status';
import { about, list, nullable, object, type ValueOf } from '../http/schema/field';
import { id, integer, oneOf, text, timestamp } from '../http/schema/kinds';

const DELIVERY = {
  id: id(),
  event_id: about(id(), 'The same in every retry and redelivery'),
  event: about(text(), 'Name of the event', 'call.completed'),
  url: text(),
  campaign_id: nullable(id()),
  call_id: nullable(text()),
  status: oneOf(...DELIVERY_STATUSES),
  attempts: list(
    object(
      {
        attempt: integer(1),
        at: timestamp(),
        status_code: about(nullable(integer()), 'What the receiver answered; null when it did not'),
        duration_ms: integer(0),
        error: nullable(text()),
      },
      { name: 'DeliveryAttempt' },
    ),
  ),
  next_attempt_at: nullable(timestamp()),
};

export const delivery = object(DELIVERY, { name: 'WebhookDelivery' });
export type DeliveryBody = ValueOf<typeof delivery>;

export const deliveryDetails = object(
  {
    ...DELIVERY,
    body: about(
      text(),
      'JSON to the byte as it is signed and sent; a transcript, a summary or a contact that was erased since is empty in it',
    ),
  },
  { name: 'WebhookDeliveryDetails' },
);
export type DeliveryDetailsBody = ValueOf<typeof deliveryDetails>;

export const redelivered = object(
  {
    redelivered: about(integer(0), 'Pending again'),
    skipped: about(
      integer(0),
      'Match too and were left for another request: over `limit`, or over the 1,000 of a client that may be on their way',
    ),
  },
  { name: 'Redelivered' },
);
