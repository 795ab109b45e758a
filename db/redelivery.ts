import { recordAudit, type Actor } from './audit';
import type { Db } from './connection';
import { firstRow, rows, timestamp } from './query';

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
    const delivery = await firstRow<{ status: string }>(
      trx,
      'select status from webhook_deliveries where id = :deliveryId and client_id = :clientId for no key update',
      { deliveryId, clientId },
    );
    if (delivery === undefined) return 'unknown';
    if (delivery.status === 'pending') return 'pending';
    await rows(
      trx,
      `update webhook_deliveries set status = 'pending', next_attempt_at = :now,
         earlier_attempts = (select count(*) from webhook_attempts where delivery_id = :deliveryId)
       where id = :deliveryId`,
      { deliveryId, now: timestamp(now) },
    );
    await recordAudit(trx, { clientId, actor, action: 'delivery.redeliver', subjectId: deliveryId, now });
    return 'again';
  });
}
