import type { DeliveryStatus, SettledStatus } from '../../domain/delivery-status';
import { recordAudit, type Actor } from '../clients/audit';
import type { Db } from '../kernel/connection';
import { ofClient } from '../kernel/conditions';
import { filtersOf, type DeliveryFilter } from './delivery-list';
import { firstRow, onlyRow, rows, timestamp } from '../kernel/query';

export interface Redelivery {
  deliveryId: string;
  clientId: string;
  actor: Actor;
  now: number;
}

/** `pending`: attempts are left of the round that is being made, and nothing was changed. */
export type RedeliveryResult = 'again' | 'pending' | 'unknown';

/**
 * Makes a delivery that is over pending again, for a fresh round of up to five attempts under the same event id. What was attempted
 * before stays in the ledger, and its numbers go on. The caller then starts a delivery workflow; reconciliation does where it dies.
 */
export function redeliver(
  db: Db,
  { deliveryId, clientId, actor, now }: Redelivery,
): Promise<RedeliveryResult> {
  return db.transaction(async (trx) => {
    const delivery = await firstRow<{ status: DeliveryStatus }>(
      trx,
      'select status from webhook_deliveries where id = :deliveryId and client_id = :clientId for no key update',
      { deliveryId, clientId },
    );
    if (delivery === undefined) return 'unknown';
    if (delivery.status === 'pending') return 'pending';
    await rows(
      trx,
      `update webhook_deliveries set status = 'pending', next_attempt_at = :now,
         earlier_attempts = attempts_made
       where id = :deliveryId`,
      { deliveryId, now: timestamp(now) },
    );
    await recordAudit(trx, { clientId, actor, action: 'delivery.redeliver', subjectId: deliveryId, now });
    return 'again';
  });
}

export interface ManyRedeliveries {
  filter: DeliveryFilter & { status: SettledStatus };
  /** At most `MAX_REDELIVERIES`. */
  limit: number;
  actor: Actor;
  now: number;
}

export interface ManyRedelivered {
  /** The first is due now, each further one a little later. */
  deliveryIds: string[];
  /** Match too, and were left as they are: over a limit, or under another request's hands. */
  skipped: number;
}

/** How many of one client's redeliveries may be on their way at once. */
export const MAX_REDELIVERIES = 1_000;
/** Between the first attempts of two: a receiver that has just come back gets ten in a second. */
export const REDELIVERY_SPACING_MS = 100;

/**
 * `redeliver` for all that match, the oldest first. Their first attempts are spread over time by when they come due; reconciliation
 * starts those that nobody has begun, so that a caller that dies loses none.
 */
export function redeliverMany(
  db: Db,
  { filter, limit, actor, now }: ManyRedeliveries,
): Promise<ManyRedelivered> {
  const { clientId } = filter;
  const { where, bindings } = ofClient(clientId, filtersOf(filter));
  return db.transaction(async (trx) => {
    const { matching, underWay } = await onlyRow<{ matching: number; underWay: number }>(
      trx,
      `select (select count(*) from webhook_deliveries where ${where}) as matching,
         (select count(*) from webhook_deliveries
          where client_id = :clientId and status = 'pending' and earlier_attempts > 0) as "underWay"`,
      bindings,
    );
    const room = Math.max(0, Math.min(limit, MAX_REDELIVERIES - underWay));
    const begun = await rows<{ id: string }>(
      trx,
      `with chosen as (
         select id, created_at from webhook_deliveries where ${where} order by created_at, id limit :room
         for no key update skip locked
       ), placed as (
         select id, row_number() over (order by created_at, id) - 1 as place from chosen
       ), begun as (
         update webhook_deliveries d set status = 'pending',
           next_attempt_at = :now::timestamptz + placed.place * interval '${REDELIVERY_SPACING_MS} ms',
           earlier_attempts = attempts_made
         -- The ids once more, as they name the months to look in.
         from placed where d.id = placed.id and d.id = any(array(select id from chosen)) returning d.id, placed.place
       )
       select id from begun order by place`,
      { ...bindings, room, now: timestamp(now) },
    );
    const deliveryIds = begun.map(({ id }) => id);
    if (deliveryIds.length > 0) await recordMany(trx, { clientId, actor, deliveryIds, now });
    return { deliveryIds, skipped: Math.max(0, matching - deliveryIds.length) };
  });
}

/** A record for each: who asks later about one delivery finds it under its own id. */
async function recordMany(
  trx: Db,
  {
    clientId,
    actor,
    deliveryIds,
    now,
  }: { clientId: string; actor: Actor; deliveryIds: string[]; now: number },
): Promise<void> {
  await rows(
    trx,
    `insert into audit_log (at, client_id, actor_kind, actor_id, address, request_id, action, subject_id, fields)
     select :now::timestamptz, :clientId::uuid, :kind, :id, :address, :requestId, 'delivery.redeliver', subject, '{}'
     from unnest(:deliveryIds::text[]) subject`,
    { address: null, ...actor, clientId, deliveryIds, now: timestamp(now) },
  );
}
