import { redeliverMany, type ManyRedeliveries, REDELIVERY_SPACING_MS } from '../../db/webhooks/redelivery';
import type { ApiDependencies } from '../dependencies';
import { TemporalUnavailable } from '../http/errors/temporal-unavailable';
import type { TemporalPort } from '../dependencies/temporal-port';

type Dependencies = Pick<ApiDependencies, 'db' | 'clock' | 'log'> & {
  temporal: Pick<TemporalPort, 'startDelivery'>;
};

/** Deliveries due within a second are started here. Reconciliation starts the others when they are due. */
const BEGUN_HERE = 1_000 / REDELIVERY_SPACING_MS;

export interface ManyRedelivered {
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
