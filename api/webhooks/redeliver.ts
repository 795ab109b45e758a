import type { Actor } from '../../db/organizations/audit';
import {
  redeliver,
  redeliverMany,
  REDELIVERY_SPACING_MS,
  type ManyRedeliveries,
} from '../../db/webhooks/redelivery';
import type { ApiDependencies } from '../dependencies';
import type { TemporalPort } from '../dependencies/temporal-client';
import { deliveryNotFound } from '../http/errors/refusals';
import { TemporalUnavailable } from '../http/errors/temporal-unavailable';

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
  try {
    await temporal.startDelivery({ deliveryId }, { organizationId });
  } catch (error) {
    if (!(error instanceof TemporalUnavailable)) throw error;
    log.warn({ delivery_id: deliveryId }, 'delivery is pending again; reconciliation will start it');
  }
}

/** Deliveries due within a second are started here. Reconciliation starts the others when they are due. */
const BEGUN_HERE = 1_000 / REDELIVERY_SPACING_MS;

interface ManyRedelivered {
  redelivered: number;
  skipped: number;
}

/**
 * Starts another round of up to five attempts for each matching delivery. The rows become pending before any workflow starts, so they are
 * delivered even if Temporal is down.
 */
export async function redeliverManyWebhooks(
  { db, temporal, clock, log }: Dependencies,
  request: Omit<ManyRedeliveries, 'now'>,
): Promise<ManyRedelivered> {
  const { organizationId } = request.filter;
  const { deliveryIds, skipped } = await redeliverMany(db, { ...request, now: clock.now() });
  const starts = deliveryIds
    .slice(0, BEGUN_HERE)
    .map((deliveryId) => temporal.startDelivery({ deliveryId }, { organizationId }));
  for (const result of await Promise.allSettled(starts)) {
    if (result.status === 'fulfilled') continue;
    if (!(result.reason instanceof TemporalUnavailable)) throw result.reason;
    log.warn(
      { organization_id: organizationId },
      'deliveries are pending again; reconciliation will start them',
    );
  }
  return { redelivered: deliveryIds.length, skipped };
}
