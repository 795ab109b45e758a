import { redeliverMany, type ManyRedeliveries, REDELIVERY_SPACING_MS } from '../../db/webhooks/redelivery';
import type { ApiDependencies } from '../dependencies';
import { TemporalUnavailable } from '../http/errors/temporal-unavailable';
import type { TemporalPort } from '../dependencies/temporal-port';

type Dependencies = Pick<ApiDependencies, 'db' | 'clock' | 'log'> & {
  temporal: Pick<TemporalPort, 'startDelivery'>;
};

/** Those that come due within a second are begun here; reconciliation begins the others as they come due. */
const BEGUN_HERE = 1_000 / REDELIVERY_SPACING_MS;

export interface ManyRedelivered {
  redelivered: number;
  skipped: number;
}

/**
 * Another round of up to five attempts for each delivery that matches. The rows are pending before any workflow is started, so they are
 * delivered although Temporal is away now.
 */
export async function redeliverManyWebhooks(
  { db, temporal, clock, log }: Dependencies,
  request: Omit<ManyRedeliveries, 'now'>,
): Promise<ManyRedelivered> {
  const { clientId } = request.filter;
  const { deliveryIds, skipped } = await redeliverMany(db, { ...request, now: clock.now() });
  const starts = deliveryIds
    .slice(0, BEGUN_HERE)
    .map((deliveryId) => temporal.startDelivery({ deliveryId }, { clientId }));
  for (const result of await Promise.allSettled(starts)) {
    if (result.status === 'fulfilled') continue;
    if (!(result.reason instanceof TemporalUnavailable)) throw result.reason;
    log.warn({ client_id: clientId }, 'deliveries are pending again, a workflow starts later');
  }
  return { redelivered: deliveryIds.length, skipped };
}
