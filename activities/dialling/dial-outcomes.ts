/**
 * Records LiveKit's response to a dial, which arrives when the callee answers or the call fails. The response is more exact than the
 * webhooks, but only the worker that dialled receives it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { callState } from '../../db/calls/engine';
import { applyProgress } from '../../db/calls/events';
import type { Db } from '../../db/kernel/connection';
import { signalWorkflows } from '../../runtime/signal-workflows';
import { endedAt } from '../../domain/call-end';
import type { SetupFault } from '../../domain/breakers';
import type { CarrierEndReason } from '../../domain/call-outcome';
import { tripBreaker, heldForSetup } from '../campaigns/breakers';
import { endCallAs } from '../ending/call-ending';
import type { ActivityDependencies } from '../dependencies';
import type { SipOutcome } from '../telephony/livekit';

/** Delays of the attempts to record an outcome. If Postgres is unavailable for longer, the webhooks and reconciliation end the call. */
const ATTEMPT_AFTER_MS = [0, 500, 1_000, 2_000, 4_000, 8_000];

type Dependencies = Pick<
  ActivityDependencies,
  'db' | 'signals' | 'workflows' | 'log' | 'metrics' | 'settings' | 'clock'
>;

export function dialOutcomes(deps: Dependencies) {
  /** Never rejects. */
  return async function recordOutcome(callId: string, outcome: SipOutcome): Promise<void> {
    const now = deps.clock();
    let fault: unknown;
    for (const waitMs of ATTEMPT_AFTER_MS) {
      await sleep(waitMs);
      try {
        return await apply(deps, callId, outcome, now);
      } catch (error) {
        fault = error;
      }
    }
    deps.log.warn(
      { call_id: callId, outcome: outcome.kind, error: fault instanceof Error ? fault.name : 'unknown' },
      'the outcome of a dial was not recorded',
    );
  };
}

async function apply(deps: Dependencies, callId: string, outcome: SipOutcome, at: number): Promise<void> {
  const { db, signals, log, settings, clock } = deps;
  if (outcome.kind === 'answered') {
    // The agent also reports the answer and who answered. The order of the two reports doesn't matter.
    const event = {
      reference: callId,
      carrierId: callId,
      type: 'answered',
      at: new Date(at).toISOString(),
    } as const;
    await applyProgress(db, [event], { now: clock(), creditsPerMinute: settings.creditsPerMinute });
    return;
  }
  const endReason =
    outcome.kind === 'rangOut' ? await endOfRingingOut(db, callId, outcome) : outcome.endReason;
  const callStatus = await endCallAs(deps, callId, endedAt(at, endReason), clock());
  await signalWorkflows(signals, log, { granted: [], refillCampaignId: null, ended: { callId, callStatus } });
  if (outcome.kind === 'ended' && outcome.because !== undefined)
    await pauseFor(deps, callId, outcome.because);
}

/**
 * Pauses the campaign, so that its remaining contacts keep their attempts. This call still counts as an attempt, because its INVITE was
 * sent.
 */
async function pauseFor(deps: Dependencies, callId: string, fault: SetupFault): Promise<void> {
  deps.metrics.dialRefused(fault);
  const held = await heldForSetup(deps, callId, fault);
  if (held !== null) await tripBreaker(deps, held, deps.clock());
}

/**
 * Returns the end reason of a call that reached its ring timeout. If neither the trunk nor the agent reported ringing, the phone never
 * rang, so the trunk or its route is broken.
 */
async function endOfRingingOut(
  db: Db,
  callId: string,
  { hasRung }: Extract<SipOutcome, { kind: 'rangOut' }>,
): Promise<CarrierEndReason> {
  if (hasRung !== false) return 'no_answer';
  return (await callState(db, callId))?.ringingAt == null ? 'carrier_failure' : 'no_answer';
}
