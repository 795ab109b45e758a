import type { Actor } from '../../db/organizations/audit';
import { redeliver } from '../../db/webhooks/redelivery';
import type { ApiDependencies } from '../dependencies';
import { deliveryNotFound } from '../http/errors/refusals';
import { TemporalUnavailable } from '../http/errors/temporal-unavailable';
import type { TemporalPort } from '../dependencies/temporal-port';

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
