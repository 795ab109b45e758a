import { ApplicationFailure } from '@temporalio/activity';
import { claimDelivery, putOff, recordAttempt, type PendingDelivery } from '../../db/webhooks/deliveries';
import { endTurn, type Turn } from '../../db/webhooks/turns';
import { delayAfterAttempt } from '../../domain/delivery-schedule';
import type { ActivityDependencies } from '../dependencies';
import { signatureHeaders } from './signature';
import { BRIEF_MS, type BriefWait } from '../brief-waits';
import { receiverOf, type ReceiverTurns } from './turns';

export type DeliveryDependencies = ActivityDependencies & { turns: ReceiverTurns };

export interface AttemptResult {
  /** Accepted, or failed for the last time: nothing is left to do. */
  settled: boolean;
  statusCode: number | null;
  error: string | null;
  /** Until the next attempt may be made. */
  nextAttemptMs: number | null;
}

const NOTHING_LEFT: AttemptResult = { settled: true, statusCode: null, error: null, nextAttemptMs: null };

const waiting = (error: string, nextAttemptMs: number): AttemptResult => ({
  settled: false,
  statusCode: null,
  error,
  nextAttemptMs,
});

/** An attempt takes five seconds and its record; a worker that needs longer has died. Nobody else makes one meanwhile. */
export const ATTEMPT_MS = 10_000;
/** Temporal keeps the delays, the ledger is written by our clock: they need not agree to the millisecond. */
const EARLY_MS = 20;
/** Until a receiver that is quick, and has as many requests as may be, is asked again: it has answered those by then. */
const BUSY_MS = 1_000;
/** From the end of a brief wait until an attempt that is late is over and what follows it is due. */
const AFTER_LATE_MS = ATTEMPT_MS - BRIEF_MS + 5 * EARLY_MS;

/** One attempt, numbered by the ledger. A worker that dies between the answer and its record makes it twice. */
export async function attemptDelivery(
  { db, webhooks, clock, settings }: ActivityDependencies,
  delivery: PendingDelivery | undefined,
  turn: Turn | null = null,
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
    turn,
  });
  return {
    settled: nextAttemptMs === null,
    statusCode: answer.statusCode,
    error: answer.error,
    nextAttemptMs,
  };
}

/**
 * The attempt, unless as many as may be are under way to this receiver, from this worker or from all (`turn` is null): it then stays due.
 */
export async function attemptInTurn(
  deps: DeliveryDependencies,
  delivery: PendingDelivery,
  turn: Turn | null,
): Promise<AttemptResult> {
  const receiver = receiverOf(delivery);
  const giveBack = turn && deps.turns.take(receiver);
  if (giveBack === null) {
    if (turn !== null) await endTurn(deps.db, turn, deps.clock());
    // Not all at once when the wait is over.
    const isSlow = deps.briefWaits.isSlow(receiver);
    const waitMs = (isSlow ? ATTEMPT_MS : BUSY_MS) * (1 + Math.random());
    // The claim is over before a longer wait.
    if (!isSlow) await putOff(deps.db, delivery.id, deps.clock() + waitMs);
    return waiting('the receiver is busy', waitMs);
  }
  try {
    return await deps.briefWaits.timed(receiver, () => attemptDelivery(deps, delivery, turn));
  } finally {
    giveBack();
  }
}

/**
 * The attempt that is due, if nobody else makes it. Two workflows may see to one delivery, where a redelivery or reconciliation found
 * the first one's worker dead: they share its schedule.
 */
export async function attemptWhenDue(deps: DeliveryDependencies, deliveryId: string): Promise<AttemptResult> {
  const now = deps.clock();
  const claim = await claimDelivery(deps.db, { deliveryId, now: now + EARLY_MS, until: now + ATTEMPT_MS });
  switch (claim.kind) {
    case 'over':
      return NOTHING_LEFT;
    case 'not due':
      return waiting('the next attempt is not due', Math.max(EARLY_MS, claim.dueAt - now));
    case 'claimed':
      return attemptInTurn(deps, claim.delivery, claim.turn);
  }
}

/** One receiver that falls silent leaves most of the brief waits to others. */
const BRIEF_OF_ONE = 0.25;

/** For the first attempt of what a workflow task is about to write; null where a regular activity is to make it. */
export function beginAttempt(
  { briefWaits, settings }: DeliveryDependencies,
  receiver: { clientId: string; url: string },
): BriefWait | null {
  const ofOne = Math.max(1, Math.floor(settings.atOnce.briefWaits * BRIEF_OF_ONE));
  return briefWaits.begin(receiverOf(receiver), { ofOne });
}

/**
 * The attempt as far as it comes within a brief wait. One that is late goes on in this worker and records itself; it is asked after once its
 * claim is over.
 */
export async function attemptBriefly(
  wait: BriefWait,
  attempt: () => Promise<AttemptResult>,
): Promise<Pick<AttemptResult, 'settled' | 'nextAttemptMs'>> {
  const waited = await wait.until(attempt);
  return waited.kind === 'done' ? waited.value : { settled: false, nextAttemptMs: AFTER_LATE_MS };
}

export function deliveringActivities(deps: DeliveryDependencies) {
  return {
    /**
     * One attempt a run, until one is accepted or the fifth is refused.
     * @throws ApplicationFailure `WebhookRefused` with the delay until the next attempt, so that Temporal keeps the time and the
     * Web UI shows what the receiver answered
     */
    async deliverUntilSettled({ deliveryId }: { deliveryId: string }): Promise<void> {
      const { settled, statusCode, error, nextAttemptMs } = await attemptWhenDue(deps, deliveryId);
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
