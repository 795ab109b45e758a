import type { DeliveryWithBody, ListedDelivery } from '../../db/webhooks/deliveries';
import { DELIVERY_STATUSES } from '../../domain/delivery';
import { iso } from '../http/responses';
import { id, integer, oneOf, text, timestamp } from '../http/schema/kinds';
import { about, list, nullable, object, type ValueOf } from '../http/schema/field';

const DELIVERY = {
  id: id(),
  event_id: about(id(), 'Id of the event. The same in every retry and redelivery'),
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
        status_code: about(nullable(integer()), 'HTTP status of the response. Null if there was none'),
        duration_ms: integer(0),
        error: nullable(text()),
      },
      { name: 'DeliveryAttempt' },
    ),
  ),
  next_attempt_at: nullable(timestamp()),
};

export const delivery = object(DELIVERY, { name: 'WebhookDelivery' });
type DeliveryBody = ValueOf<typeof delivery>;

export const deliveryDetails = object(
  {
    ...DELIVERY,
    body: about(
      text(),
      'Exact JSON body as it is signed and sent. Transcripts, summaries and contacts that were erased since then are empty',
    ),
  },
  { name: 'WebhookDeliveryDetails' },
);
type DeliveryDetailsBody = ValueOf<typeof deliveryDetails>;

export const redelivered = object(
  {
    redelivered: about(integer(0), 'Number of deliveries that are pending again'),
    skipped: about(
      integer(0),
      'Number of further matches left for another request, because of `limit` or because an organization may have at most 1,000 redeliveries in progress',
    ),
  },
  { name: 'Redelivered' },
);

export function presentDelivery(delivery: ListedDelivery): DeliveryBody {
  return {
    id: delivery.id,
    event_id: delivery.eventId,
    event: delivery.event,
    url: delivery.url,
    campaign_id: delivery.campaignId,
    call_id: delivery.callId,
    status: delivery.status,
    attempts: delivery.attempts.map((attempt) => ({
      attempt: attempt.attempt,
      at: iso(attempt.at),
      status_code: attempt.statusCode,
      duration_ms: attempt.durationMs,
      error: attempt.error,
    })),
    next_attempt_at: iso(delivery.nextAttemptAt),
  };
}

export const presentDeliveryDetails = (delivery: DeliveryWithBody): DeliveryDetailsBody => ({
  ...presentDelivery(delivery),
  body: delivery.body,
});
