import type { DeliveryStatus } from '../../domain/delivery';
import type { WebhookEventName } from '../../domain/webhook-events';
import type { Db } from '../kernel/connection';
import { firstRow, prepared, rows, timestamp } from '../kernel/query';
import { takeReceiverSlot, type ReceiverSlot } from './receiver-slots';
import type { Filters } from '../kernel/conditions';
import { collected, type Listed, type Page, type StreamedPage, organizationPage } from '../kernel/list-page';

export interface PendingDelivery {
  id: string;
  eventId: string;
  organizationId: string;
  event: WebhookEventName;
  url: string;
  body: string;
  status: DeliveryStatus;
  /** Includes attempts that are no longer stored. */
  attemptsMade: number;
  /** Attempts of earlier rounds. A redelivery starts a new round. */
  earlierAttempts: number;
  /** Valid signing secrets of the organization, encrypted, newest first. There are two during a rotation. */
  secretsEncrypted: Buffer[];
}

/** SQL columns of a PendingDelivery, from the delivery `d` at `:now`. */
export const PENDING_DELIVERY = `d.id, d.event_id as "eventId", d.organization_id as "organizationId", d.event, d.url, d.body, d.status,
  d.attempts_made as "attemptsMade",
  d.earlier_attempts as "earlierAttempts",
  array(select s.secret_encrypted from signing_secrets s
        where s.organization_id = d.organization_id and (s.expires_at is null or s.expires_at > :now)
        order by s.created_at desc) as "secretsEncrypted"`;

export function loadDelivery(db: Db, deliveryId: string, now: number): Promise<PendingDelivery | undefined> {
  return firstRow<PendingDelivery>(
    db,
    `select ${PENDING_DELIVERY} from webhook_deliveries d where d.id = :deliveryId`,
    { deliveryId, now: timestamp(now) },
  );
}

type DeliveryClaim =
  /** `slot` is the receiver's slot. Null while all slots are taken. */
  | { kind: 'claimed'; delivery: PendingDelivery; slot: ReceiverSlot | null }
  | { kind: 'not due'; dueAt: number }
  /** The delivery was accepted, has failed or is unknown. */
  | { kind: 'over' };

/**
 * Claims the attempt that is due at `now` for one worker. From `until` on, other workers can claim it, because by then the first worker has
 * recorded the attempt or died.
 */
export async function claimDelivery(
  db: Db,
  claim: { deliveryId: string; now: number; until: number },
): Promise<DeliveryClaim> {
  const found = await firstRow<
    PendingDelivery & { isClaimed: boolean; dueAt: Date | null; slotId: number | null }
  >(
    db,
    `with claimed as (
       update webhook_deliveries set next_attempt_at = :until
       where id = :deliveryId and status = 'pending' and (next_attempt_at is null or next_attempt_at <= :now)
       returning *
     ), d as (
       select *, true as is_claimed from claimed
       union all
       select *, false from webhook_deliveries where id = :deliveryId and not exists (select 1 from claimed)
     )
     select ${PENDING_DELIVERY}, d.is_claimed as "isClaimed", d.next_attempt_at as "dueAt",
       ${takeReceiverSlot('claimed', ':until')} as "slotId"
     from d`,
    { deliveryId: claim.deliveryId, now: timestamp(claim.now), until: timestamp(claim.until) },
  );
  if (found === undefined || found.status !== 'pending') return { kind: 'over' };
  const { isClaimed, dueAt, slotId, ...delivery } = found;
  return isClaimed
    ? { kind: 'claimed', delivery, slot: slotId === null ? null : { id: slotId, until: claim.until } }
    : { kind: 'not due', dueAt: dueAt?.getTime() ?? claim.now };
}

/** Releases a claim without making the attempt, which is then due at `dueAt`. Only the holder of the claim may call this. */
export async function putOff(db: Db, deliveryId: string, dueAt: number): Promise<void> {
  await rows(
    db,
    `update webhook_deliveries set next_attempt_at = :dueAt
     where id = :deliveryId and status = 'pending' and next_attempt_at > :dueAt`,
    { deliveryId, dueAt: timestamp(dueAt) },
  );
}

export interface DeliveryAttempt {
  deliveryId: string;
  attempt: number;
  at: number;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
  /** Status of the delivery after this attempt. */
  status: DeliveryStatus;
  nextAttemptAt: number | null;
  /** Slot to release. Default: none. */
  slot?: ReceiverSlot | null;
}

/** Maximum number of stored attempts of a delivery, which can be redelivered repeatedly. Each round has up to five. */
const MAX_ATTEMPTS_KEPT = 100;

const STORE_ATTEMPT = `kept as (
       insert into webhook_attempts (delivery_id, attempt, at, status_code, duration_ms, error)
       values (:deliveryId, :attempt, :at, :statusCode, :durationMs, :error) on conflict do nothing
       returning delivery_id
     ), ended as (
       update receiver_slots set taken_until = :at where id = :slotId and taken_until = :slotUntil
     )`;

/** Selects the delivery by its id instead of joining the inserted row, so that Postgres reads one month only. */
const UPDATE_DELIVERY = `update webhook_deliveries set status = :status, next_attempt_at = :nextAttemptAt, attempts_made = greatest(attempts_made, :attempt)
     where id = :deliveryId and exists (select 1 from kept)`;

const RECORD_ATTEMPT = prepared('record_attempt', `with ${STORE_ATTEMPT} ${UPDATE_DELIVERY}`);

const RECORD_LATE_ATTEMPT = prepared(
  'record_late_attempt',
  `with ${STORE_ATTEMPT}, removed as (
       delete from webhook_attempts where delivery_id = :deliveryId and attempt <= :attempt - ${MAX_ATTEMPTS_KEPT}
         and exists (select 1 from kept)
     ) ${UPDATE_DELIVERY}`,
);

/** Records an attempt. Safe to repeat. Keeps the last 100 attempts of a delivery. */
export async function recordAttempt(db: Db, { slot = null, ...attempt }: DeliveryAttempt): Promise<void> {
  await rows(db, attempt.attempt > MAX_ATTEMPTS_KEPT ? RECORD_LATE_ATTEMPT : RECORD_ATTEMPT, {
    ...attempt,
    slotId: slot && slot.id,
    slotUntil: slot && timestamp(slot.until),
    at: timestamp(attempt.at),
    nextAttemptAt: attempt.nextAttemptAt === null ? null : timestamp(attempt.nextAttemptAt),
  });
}

interface ListedAttempt {
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
  /** ISO 8601 instant, inclusive. `to` is exclusive. */
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
  /** Body as signed and sent, without data that was erased since. */
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
