import type { DeliveryWithBody, ListedDelivery } from '../../db/webhooks/deliveries';
import type { DeliveryBody, DeliveryDetailsBody } from './resource';
import { iso } from '../http/presenters/instant';

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
