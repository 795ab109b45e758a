import type { Actor } from '../../db/organizations/audit';
import {
  redeliver,
  redeliverMany,
  REDELIVERY_SPACING_MS,
  type ManyRedeliveries,
} from '../../db/webhooks/redelivery';
import { orReconciled, type ApiDependencies } from '../dependencies';
import type { TemporalPort } from '../dependencies/temporal-client';
import { deliveryNotFound } from '../http/errors/refusals';

type Dependencies = Pick<ApiDependencies, 'db' | 'clock' | 'log'> & {
  temporal: Pick<TemporalPort, 'startDelivery'>;
};

/**
 * Starts another round of up to five attempts for a finished delivery. Does nothing if it is still pending. The row becomes pending before the
 * workflow starts, so reconciliation starts it if Temporal is down.
 */
export async function redeliverWebhook(
  { db, temporal, clock, log }: Dependencies,
  target: { deliveryId: string; organizationId: string; actor: Actor },
): Promise<void> {
  const { deliveryId, organizationId } = target;
  const result = await redeliver(db, { ...target, now: clock.now() });
  if (result === 'unknown') throw deliveryNotFound();
  if (result === 'pending') return;
  await orReconciled([temporal.startDelivery({ deliveryId }, { organizationId })], () =>
    log.warn({ delivery_id: deliveryId }, 'delivery is pending again; reconciliation will start it'),
  );
}

/** Deliveries due within a second are started here. Reconciliation starts the others when they are due. */
const STARTED_HERE = 1_000 / REDELIVERY_SPACING_MS;

/**
 * Starts another round of up to five attempts for each matching delivery. The rows become pending before any workflow starts, so they are
 * delivered even if Temporal is down.
 */
export async function redeliverManyWebhooks(
  { db, temporal, clock, log }: Dependencies,
  request: Omit<ManyRedeliveries, 'now'>,
): Promise<{ redelivered: number; skipped: number }> {
  const { organizationId } = request.filter;
  const { deliveryIds, skipped } = await redeliverMany(db, { ...request, now: clock.now() });
  const starts = deliveryIds
    .slice(0, STARTED_HERE)
    .map((deliveryId) => temporal.startDelivery({ deliveryId }, { organizationId }));
  await orReconciled(starts, () =>
    log.warn(
      { organization_id: organizationId },
      'deliveries are pending again; reconciliation will start them',
    ),
  );
  return { redelivered: deliveryIds.length, skipped };
}
