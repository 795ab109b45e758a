import type { DeliveryStatus, DoneStatus } from '../../domain/delivery';
import { recordAudit, type Actor } from '../organizations/audit';
import type { Db } from '../kernel/connection';
import { ofOrganization } from '../kernel/conditions';
import { filtersOf, type DeliveryFilter } from './deliveries';
import { firstRow, onlyRow, rows, timestamp } from '../kernel/query';

interface Redelivery {
  deliveryId: string;
  organizationId: string;
  actor: Actor;
  now: number;
}

/** `pending` means that the current round has attempts left, so nothing was changed. */
type RedeliveryResult = 'again' | 'pending' | 'unknown';

/**
 * Starts a new round of up to five attempts for a finished delivery. The event id stays the same and the attempt numbers continue. Start a
 * delivery workflow afterwards. If the process dies before that, reconciliation starts it.
 */
export function redeliver(
  db: Db,
  { deliveryId, organizationId, actor, now }: Redelivery,
): Promise<RedeliveryResult> {
  return db.transaction(async (trx) => {
    const delivery = await firstRow<{ status: DeliveryStatus }>(
      trx,
      'select status from webhook_deliveries where id = :deliveryId and organization_id = :organizationId for no key update',
      { deliveryId, organizationId },
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
    await recordAudit(trx, {
      organizationId,
      actor,
      action: 'delivery.redeliver',
      subjectId: deliveryId,
      now,
    });
    return 'again';
  });
}

export interface ManyRedeliveries {
  filter: DeliveryFilter & { status: DoneStatus };
  /** At most `MAX_REDELIVERIES`. */
  limit: number;
  actor: Actor;
  now: number;
}

interface ManyRedelivered {
  /** The first delivery is due now, and each further one 100 ms later. */
  deliveryIds: string[];
  /** Matching deliveries that weren't changed, because of the limit or because another request is changing them. */
  skipped: number;
}

/** Maximum number of pending redeliveries of an organization. */
export const MAX_REDELIVERIES = 1_000;
/** Interval between first attempts. A receiver that has just recovered gets ten per second. */
export const REDELIVERY_SPACING_MS = 100;

/**
 * Redelivers all matching deliveries, oldest first, with first attempts spread over time. Start their workflows afterwards. If the process
 * dies before that, reconciliation starts them.
 */
export function redeliverMany(
  db: Db,
  { filter, limit, actor, now }: ManyRedeliveries,
): Promise<ManyRedelivered> {
  const { organizationId } = filter;
  const { where, bindings } = ofOrganization(organizationId, filtersOf(filter));
  return db.transaction(async (trx) => {
    const { matching, underWay } = await onlyRow<{ matching: number; underWay: number }>(
      trx,
      `select (select count(*) from webhook_deliveries where ${where}) as matching,
         (select count(*) from webhook_deliveries
          where organization_id = :organizationId and status = 'pending' and earlier_attempts > 0) as "underWay"`,
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
         -- The second condition on the ids limits the read to their months.
         from placed where d.id = placed.id and d.id = any(array(select id from chosen)) returning d.id, placed.place
       )
       select id from begun order by place`,
      { ...bindings, room, now: timestamp(now) },
    );
    const deliveryIds = begun.map(({ id }) => id);
    if (deliveryIds.length > 0) await recordMany(trx, { organizationId, actor, deliveryIds, now });
    return { deliveryIds, skipped: Math.max(0, matching - deliveryIds.length) };
  });
}

/** Writes one audit entry per delivery, so that entries can be found by the delivery's id. */
async function recordMany(
  trx: Db,
  {
    organizationId,
    actor,
    deliveryIds,
    now,
  }: { organizationId: string; actor: Actor; deliveryIds: string[]; now: number },
): Promise<void> {
  await rows(
    trx,
    `insert into audit_log (at, organization_id, actor_kind, actor_id, address, request_id, action, subject_id, fields)
     select :now::timestamptz, :organizationId::uuid, :kind, :id, :address, :requestId, 'delivery.redeliver', subject, '{}'
     from unnest(:deliveryIds::text[]) subject`,
    { address: null, ...actor, organizationId, deliveryIds, now: timestamp(now) },
  );
}
