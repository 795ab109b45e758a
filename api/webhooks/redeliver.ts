import type { Actor } from '../../db/clients/audit';
import { redeliver } from '../../db/webhooks/redelivery';
import type { ApiDependencies } from '../dependencies';
import { deliveryNotFound } from '../http/errors/refusals';
import { TemporalUnavailable } from '../http/errors/temporal-unavailable';
import type { TemporalPort } from '../dependencies/temporal-port';

type Dependencies = Pick<ApiDependencies, 'db' | 'clock' | 'log'> & {
  temporal: Pick<TemporalPort, 'startDelivery'>;
};

/**
 * Another round of up to five attempts for a delivery that was accepted or has failed; one whose attempts go on is left alone. The
 * row is pending before the workflow is started, so it is delivered although Temporal is away now: reconciliation starts it.
 */
export async function redeliverWebhook(
  { db, temporal, clock, log }: Dependencies,
  target: { deliveryId: string; clientId: string; actor: Actor },
): Promise<void> {
  const { deliveryId, clientId } = target;
  const result = await redeliver(db, { ...target, now: clock.now() });
  if (result === 'unknown') throw deliveryNotFound();
  if (result === 'pending') return;
  try {
    await temporal.startDelivery({ deliveryId }, { clientId });
  } catch (error) {
    if (!(error instanceof TemporalUnavailable)) throw error;
    log.warn({ delivery_id: deliveryId }, 'delivery is pending again, its workflow starts later');
  }
}
