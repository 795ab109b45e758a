import { ofClient, type Conditions } from './conditions';
import type { Db } from './connection';
import { onlyRow, rows } from './query';

export interface ListedAttempt {
  attempt: number;
  at: string;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
}

export interface ListedDelivery {
  id: string;
  eventId: string;
  event: string;
  url: string;
  campaignId: string | null;
  callId: string | null;
  status: string;
  nextAttemptAt: Date | null;
  attempts: ListedAttempt[];
}

export interface DeliveryFilter {
  clientId: string;
  campaignId?: string;
  callId?: string;
  status?: string;
}

const conditionsOf = (filter: DeliveryFilter): Conditions =>
  ofClient(filter.clientId, {
    'campaign_id = :campaignId': filter.campaignId,
    'call_id = :callId': filter.callId,
    'status = :status': filter.status,
  });

/** The newest first, each with every attempt that was made. */
export function listDeliveries(
  db: Db,
  filter: DeliveryFilter,
  page: { limit: number; offset: number },
): Promise<ListedDelivery[]> {
  const { where, bindings } = conditionsOf(filter);
  return rows<ListedDelivery>(
    db,
    `with page as (
       select id from webhook_deliveries where ${where} order by created_at desc, id desc limit :limit offset :offset
     )
     select d.id, d.event_id as "eventId", d.event, d.url, d.campaign_id as "campaignId", d.call_id as "callId", d.status,
       d.next_attempt_at as "nextAttemptAt", made.attempts
     from page join webhook_deliveries d on d.id = page.id
     cross join lateral (
       select coalesce(jsonb_agg(jsonb_build_object('attempt', w.attempt, 'at', w.at, 'statusCode', w.status_code,
                                                    'durationMs', w.duration_ms, 'error', w.error) order by w.attempt), '[]'::jsonb) as attempts
       from webhook_attempts w where w.delivery_id = d.id
     ) made
     order by d.created_at desc, d.id desc`,
    { ...bindings, ...page },
  );
}

export async function countDeliveries(db: Db, filter: DeliveryFilter): Promise<number> {
  const { where, bindings } = conditionsOf(filter);
  const { total } = await onlyRow<{ total: number }>(
    db,
    `select count(*) as total from webhook_deliveries where ${where}`,
    bindings,
  );
  return total;
}
