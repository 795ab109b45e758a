import { ApplicationFailure } from '@temporalio/activity';
import { loadDelivery, recordAttempt, type PendingDelivery } from '../db/deliveries';
import { delayAfterAttempt } from '../workflows/domain/delivery-schedule';
import type { ActivityDependencies } from './dependencies';
import { signatureHeaders } from './webhooks/signature';

export interface AttemptResult {
  /** Accepted, or failed for the last time: nothing is left to do. */
  settled: boolean;
  statusCode: number | null;
  error: string | null;
  nextAttemptMs: number | null;
}

const NOTHING_LEFT: AttemptResult = { settled: true, statusCode: null, error: null, nextAttemptMs: null };

/** One attempt, numbered by the ledger. A worker that dies between the answer and its record makes it twice. */
export async function attemptDelivery(
  { db, webhooks, clock, settings }: ActivityDependencies,
  delivery: PendingDelivery | undefined,
): Promise<AttemptResult> {
  if (delivery === undefined || delivery.status !== 'pending') return NOTHING_LEFT;
  const attempt = delivery.attemptsMade + 1;
  const at = clock();
  const headers = signatureHeaders({
    eventId: delivery.eventId,
    body: delivery.body,
    attempt,
    timestampS: Math.floor(at / 1000),
    secrets: delivery.secretsEncrypted.map(settings.decryptSecret),
  });
  const answer = await webhooks.post(delivery.url, delivery.body, headers);
  const nextAttemptMs = answer.error === null ? null : delayAfterAttempt(attempt - delivery.earlierAttempts);
  await recordAttempt(db, {
    deliveryId: delivery.id,
    attempt,
    at,
    ...answer,
    status: answer.error === null ? 'delivered' : nextAttemptMs === null ? 'failed' : 'pending',
    nextAttemptAt: nextAttemptMs === null ? null : clock() + nextAttemptMs,
  });
  return {
    settled: nextAttemptMs === null,
    statusCode: answer.statusCode,
    error: answer.error,
    nextAttemptMs,
  };
}

export function deliveringActivities(deps: ActivityDependencies) {
  const { db, clock } = deps;
  return {
    async deliverOnce({ deliveryId }: { deliveryId: string }): Promise<{ settled: boolean }> {
      const { settled } = await attemptDelivery(deps, await loadDelivery(db, deliveryId, clock()));
      return { settled };
    },

    /**
     * One attempt a run, until one is accepted or the fifth is refused.
     * @throws ApplicationFailure `WebhookRefused` with the delay until the next attempt, so that Temporal keeps the time and the
     * Web UI shows what the receiver answered
     */
    async deliverUntilSettled({ deliveryId }: { deliveryId: string }): Promise<void> {
      const { settled, statusCode, error, nextAttemptMs } = await attemptDelivery(
        deps,
        await loadDelivery(db, deliveryId, clock()),
      );
      if (settled) return;
      throw ApplicationFailure.create({
        type: 'WebhookRefused',
        message:
          statusCode === null ? `no answer: ${error ?? 'unknown'}` : `the receiver answered ${statusCode}`,
        nextRetryDelay: nextAttemptMs ?? undefined,
      });
    },
  };
}
