import { setTimeout as sleep } from 'node:timers/promises';
import * as calls from '../../db/calls/hang-up';
import type { Actor } from '../../db/organizations/audit';
import { callEndOf, endedAt } from '../../domain/call-end';
import type { CallStatus } from '../../domain/call-outcome';
import type { ApiDependencies } from '../dependencies';
import type { TemporalPort } from '../dependencies/temporal-client';
import { callNotFound } from '../http/errors/refusals';
import { isDialPending, type DialOwner } from '../../db/calls/engine';

type Dependencies = Pick<ApiDependencies, 'db' | 'clock' | 'log'> & {
  temporal: Pick<TemporalPort, 'signalWorkflows'>;
};

export interface HungUpCall {
  callId: string;
  /**
   * The final status if the call was over or not yet dialled. For a live call, the current status: the call ends within seconds, as
   * `completed` or `voicemail` if it was answered and as `cancelled` if not.
   */
  callStatus: CallStatus;
}

interface Target {
  callId: string;
  organizationId: string;
  actor: Actor;
}

/**
 * Ends a call on request. The request is written to the row before any workflow is signalled, so reconciliation repeats it if Temporal or
 * the carrier is down. A campaign doesn't redial the contact.
 */
export async function hangUp(deps: Dependencies, target: Target): Promise<HungUpCall> {
  let attempt = await requestHangUp(deps, target);
  if (attempt.isDialling) {
    // No new call can ring after this resolves. Re-read the row for the outcome.
    await dialsDrained(deps, target);
    attempt = await requestHangUp(deps, target);
  }
  return attempt.call;
}

async function requestHangUp(
  { db, temporal, clock, log }: Dependencies,
  target: Target,
): Promise<{ call: HungUpCall; isDialling: boolean }> {
  const { callId } = target;
  const now = clock.now();
  // The call wasn't dialled, so it costs nothing.
  const undialled = callEndOf(endedAt(now, 'cancelled'), 0);
  const result = await calls.hangUp(db, target, undialled, now);
  switch (result.kind) {
    case 'unknown':
      throw callNotFound();
    case 'over':
      return { call: { callId, callStatus: result.callStatus }, isDialling: false };
    case 'requested': {
      const { callStatus, isDialling } = result;
      await temporal.signalWorkflows({ granted: [], refillCampaignId: null, toHangUp: callId }, log);
      return { call: { callId, callStatus }, isDialling };
    }
    case 'ended': {
      const { granted, refillCampaignId } = result;
      const { callStatus } = undialled;
      await temporal.signalWorkflows({ granted, refillCampaignId, ended: { callId, callStatus } }, log);
      return { call: { callId, callStatus }, isDialling: false };
    }
  }
}

const POLL_MS = 25;
/** Most carriers respond within a second or two. */
const SLOW_POLL_MS = 250;
const SLOW_POLL_AFTER_MS = 3_000;

/**
 * Waits until every dial in flight has succeeded, failed or timed out. This usually takes a fraction of a second, but up to the telephony's
 * `pendingDialMs` if the carrier doesn't respond.
 */
export async function dialsDrained(
  { db, clock }: Pick<ApiDependencies, 'db' | 'clock'>,
  of: DialOwner,
): Promise<void> {
  const since = performance.now();
  while (await isDialPending(db, of, clock.now())) {
    const pollMs = performance.now() - since < SLOW_POLL_AFTER_MS ? POLL_MS : SLOW_POLL_MS;
    await sleep(pollMs);
  }
}
