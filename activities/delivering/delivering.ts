import { ApplicationFailure } from '@temporalio/activity';
import { claimDelivery, putOff, recordAttempt, type PendingDelivery } from '../../db/webhooks/deliveries';
import { releaseSlot, type ReceiverSlot, MAX_AT_ONCE } from '../../db/webhooks/receiver-slots';
import { delayAfterAttempt } from '../../domain/delivery';
import { WORKFLOW_TYPES, workflowId, type DeliveryInput } from '../../workflows/contract';
import { DELIVERY_SUMMARY, type Owner } from '../../workflows/workflow-metadata';
import type { ActivityDependencies } from '../dependencies';
import { signatureHeaders } from './signature';
import { BRIEF_MS, type BriefWait } from '../brief-waits';
import { Shares } from '../../runtime/shares';

export type DeliveryDependencies = ActivityDependencies & { slots: ReceiverSlots };

interface AttemptResult {
  /** The delivery was accepted or has failed permanently. */
  isOver: boolean;
  statusCode: number | null;
  error: string | null;
  /** Delay until the next attempt. Null if there is none. */
  nextAttemptMs: number | null;
}

const NOTHING_LEFT: AttemptResult = { isOver: true, statusCode: null, error: null, nextAttemptMs: null };

const waiting = (error: string, nextAttemptMs: number): AttemptResult => ({
  isOver: false,
  statusCode: null,
  error,
  nextAttemptMs,
});

/** How long a worker's claim on an attempt lasts. An attempt takes at most 5 s, so a worker that takes longer has died. */
export const ATTEMPT_MS = 10_000;
/** Tolerance between Temporal's clock, which times the delays, and our clock, which the ledger uses. */
const EARLY_MS = 20;
/** Delay when a fast receiver is at its limit of concurrent requests. By then, some of its requests will be done. */
const BUSY_MS = 1_000;
/** Time from the end of a brief wait until its late attempt must have finished and the next attempt is due. */
const AFTER_LATE_MS = ATTEMPT_MS - BRIEF_MS + 5 * EARLY_MS;

/**
 * Makes one attempt and records it in the ledger, which numbers the attempts. If the worker dies before it records the answer, the attempt
 * is repeated.
 */
export async function attemptDelivery(
  { db, webhooks, clock, settings }: ActivityDependencies,
  delivery: PendingDelivery | undefined,
  slot: ReceiverSlot | null = null,
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
    slot,
  });
  return {
    isOver: nextAttemptMs === null,
    statusCode: answer.statusCode,
    error: answer.error,
    nextAttemptMs,
  };
}

/**
 * Makes the attempt, unless the receiver is at its limit of concurrent requests. This worker has one limit, and all workers together have
 * another (`slot` is null at that limit).
 */
export async function attemptInSlot(
  deps: DeliveryDependencies,
  delivery: PendingDelivery,
  slot: ReceiverSlot | null,
): Promise<AttemptResult> {
  const receiver = receiverOf(delivery);
  const giveBack = slot && deps.slots.take(receiver);
  if (giveBack === null) {
    if (slot !== null) await releaseSlot(deps.db, slot, deps.clock());
    // Randomize the delay so that retries don't all arrive at once.
    const isSlow = deps.briefWaits.isSlow(receiver);
    const waitMs = (isSlow ? ATTEMPT_MS : BUSY_MS) * (1 + Math.random());
    // The delay for a slow receiver already outlasts the claim, so the claim needs no change.
    if (!isSlow) await putOff(deps.db, delivery.id, deps.clock() + waitMs);
    return waiting('the receiver is busy', waitMs);
  }
  try {
    return await deps.briefWaits.timed(receiver, () => attemptDelivery(deps, delivery, slot));
  } finally {
    giveBack();
  }
}

/**
 * Makes the attempt if it is due and not claimed. Two workflows that work on the same delivery (for example after a redelivery) share its
 * schedule.
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
      return attemptInSlot(deps, claim.delivery, claim.slot);
  }
}

/** The share of the brief-wait slots that one receiver can use, so that an unresponsive receiver doesn't block the others. */
const BRIEF_OF_ONE = 0.25;

/** Begins a brief wait for the first attempt of a webhook. Returns null if a regular activity must make the attempt. */
export function beginAttempt(
  { briefWaits, settings }: DeliveryDependencies,
  receiver: { organizationId: string; url: string },
): BriefWait | null {
  const perOwner = Math.max(1, Math.floor(settings.atOnce.briefWaits * BRIEF_OF_ONE));
  return briefWaits.begin(receiverOf(receiver), { perOwner });
}

/** Makes the attempt within a brief wait. A late attempt continues in this worker and records its own result. */
export async function attemptBriefly(
  wait: BriefWait,
  attempt: () => Promise<AttemptResult>,
): Promise<Pick<AttemptResult, 'isOver' | 'nextAttemptMs'>> {
  const waited = await wait.until(attempt);
  return waited.kind === 'done' ? waited.value : { isOver: false, nextAttemptMs: AFTER_LATE_MS };
}

export function deliveringActivities(deps: DeliveryDependencies) {
  return {
    /**
     * Makes one attempt per run, until the receiver accepts one or the fifth fails.
     * @throws ApplicationFailure `WebhookRefused` with the delay until the next attempt. Temporal times the delay, and its Web UI shows the
     * receiver's answer
     */
    async deliverUntilDone({ deliveryId }: { deliveryId: string }): Promise<void> {
      const { isOver, statusCode, error, nextAttemptMs } = await attemptWhenDue(deps, deliveryId);
      if (isOver) return;
      throw ApplicationFailure.create({
        type: 'WebhookRefused',
        message:
          statusCode === null ? `no answer: ${error ?? 'unknown'}` : `the receiver answered ${statusCode}`,
        nextRetryDelay: nextAttemptMs ?? undefined,
      });
    },
  };
}

/** Starts a separate workflow for the delivery, for example because the call's workflow is gone. */
export function startDelivery(
  { workflows }: Pick<ActivityDependencies, 'workflows'>,
  deliveryId: string,
  owner: Owner = {},
): Promise<void> {
  const input: DeliveryInput = { deliveryId };
  // If the previous workflow was terminated, a new one continues from the ledger.
  return workflows.startOnce(WORKFLOW_TYPES.delivery, workflowId.delivery(deliveryId), input, {
    againAfterClose: true,
    owner,
    summary: DELIVERY_SUMMARY.again,
  });
}

/**
 * Limits this worker's concurrent requests, both in total and per endpoint of an organization. Without a limit, slow receivers would occupy
 * all activity slots and delay other organizations' webhooks and calls.
 */
export interface ReceiverSlots {
  /** Returns a function that releases the slot, or null if all slots are taken. */
  take(receiver: string): (() => void) | null;
}

/** Leaves at least half of the slots to other receivers. */
const maxPerOwner = (inAll: number): number => Math.min(MAX_AT_ONCE, Math.max(1, Math.floor(inAll / 2)));

export const receiverSlots = (inAll: number, perOwner = maxPerOwner(inAll)): ReceiverSlots =>
  new Shares({ max: inAll, maxPerOwner: perOwner });

/** Identifies an endpoint by its organization and the origin of its URL. */
export const receiverOf = ({ organizationId, url }: { organizationId: string; url: string }): string =>
  `${organizationId} ${originOf(url)}`;

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);
