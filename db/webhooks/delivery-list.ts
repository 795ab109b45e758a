import type { DeliveryStatus } from '../../domain/delivery-status';
import type { WebhookEventName } from '../../domain/webhook-events';
import { organizationPage } from '../kernel/organization-page';
import type { Filters } from '../kernel/conditions';
import type { Db } from '../kernel/connection';
import { collected, type Listed, type Page, type StreamedPage } from '../kernel/list-page';
import { firstRow, rows } from '../kernel/query';

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
  event: WebhookEventName;
  url: string;
  campaignId: string | null;
  callId: string | null;
  status: DeliveryStatus;
  nextAttemptAt: Date | null;
  attempts: ListedAttempt[];
}

export interface DeliveryFilter {
  organizationId: string;
  campaignId?: string;
  callId?: string;
  status?: string;
  /** ISO 8601 instant, inclusive; `to` is exclusive. */
  from?: string;
  to?: string;
}

export const filtersOf = (filter: DeliveryFilter): Filters => ({
  'campaign_id = :campaignId': filter.campaignId,
  'call_id = :callId': filter.callId,
  'status = :status': filter.status,
  'created_at >= :from': filter.from,
  'created_at < :to': filter.to,
});

/** Returns deliveries with their attempts, newest first. */
export const deliveryPage = (
  db: Db,
  filter: DeliveryFilter,
  page: Page,
): Promise<StreamedPage<ListedDelivery>> =>
  organizationPage<ListedDelivery>(
    db,
    {
      table: 'webhook_deliveries',
      kept: 'webhook_deliveries',
      key: 'id',
      at: 'created_at',
      organizationId: filter.organizationId,
      filters: filtersOf(filter),
    },
    page,
    (ids) => rows(db, DELIVERIES, { ids, organizationId: filter.organizationId }),
  );

export const listDeliveries = async (
  db: Db,
  filter: DeliveryFilter,
  page: Page,
): Promise<Listed<ListedDelivery>> => collected(await deliveryPage(db, filter, page));

export interface DeliveryWithBody extends ListedDelivery {
  /** Body as signed and sent, except for data that was erased since. */
  body: string;
}

export const findDelivery = (
  db: Db,
  { deliveryId, organizationId }: { deliveryId: string; organizationId: string },
): Promise<DeliveryWithBody | undefined> =>
  firstRow<DeliveryWithBody>(
    db,
    `select ${LISTED}, d.body ${WITH_ATTEMPTS} where d.id = any(:ids) and d.organization_id = :organizationId`,
    { ids: [deliveryId], organizationId },
  );

const LISTED = `d.id, d.event_id as "eventId", d.event, d.url, d.campaign_id as "campaignId", d.call_id as "callId", d.status,
    d.next_attempt_at as "nextAttemptAt", made.attempts`;

const WITH_ATTEMPTS = `from webhook_deliveries d
  cross join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('attempt', w.attempt, 'at', w.at, 'statusCode', w.status_code,
                                                 'durationMs', w.duration_ms, 'error', w.error) order by w.attempt), '[]'::jsonb) as attempts
    -- The second condition on the ids limits the read to their months.
    from webhook_attempts w where w.delivery_id = d.id and w.delivery_id = any(:ids)
  ) made`;

const DELIVERIES = `select ${LISTED} ${WITH_ATTEMPTS} where d.id = any(:ids) and d.organization_id = :organizationId
  order by d.created_at desc, d.id desc`;
