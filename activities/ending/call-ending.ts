import * as calls from '../../db/calls/engine';
import { endCall } from '../../db/calls/ends';
import { replacedTimes } from '../../runtime/observability/call-metrics';
import { signalWorkflows } from '../../runtime/signal-workflows';
import { callEndOf, type EndFacts } from '../../domain/call-end';
import type { CallStatus, FinalCallStatus } from '../../domain/call-outcome';
import type { ActivityDependencies } from '../dependencies';
import type { CarrierCall } from '../telephony/port';

/**
 * Status of a call without a row. Either the rules didn't allow the dial and its contact waits, or the API deleted the row because Temporal
 * seemed unreachable although the workflow had started.
 */
export const WITHOUT_ROW: FinalCallStatus = 'cancelled';

/**
 * Writes the end of a call unless it is already over, hands over its line and returns its final status. Doesn't signal the call's own
 * workflow, because either that workflow called this or reconciliation signals it.
 */
export async function endCallAs(
  {
    db,
    signals,
    log,
    metrics,
    settings,
  }: Pick<ActivityDependencies, 'db' | 'signals' | 'log' | 'metrics' | 'settings'>,
  callId: string,
  facts: EndFacts,
  now: number,
): Promise<CallStatus> {
  const end = callEndOf(facts, settings.creditsPerMinute);
  const decision = await endCall(db, callId, end, now, { onReplacedTime: replacedTimes({ metrics, log }) });
  if (decision !== null) {
    metrics.callEnded(end);
    await signalWorkflows(signals, log, decision);
  }
  const state = await calls.callState(db, callId);
  return state?.callStatus ?? WITHOUT_ROW;
}

/** Reads the facts of an ended call from the carrier's record. */
export function endFactsOf(found: CarrierCall, now: number): EndFacts {
  return {
    endReason: found.endReason ?? 'lost',
    endedAt: found.endedAt ?? new Date(now).toISOString(),
    answeredBy: found.answeredBy,
    dialingAt: found.dialingAt,
    ringingAt: found.ringingAt,
    answeredAt: found.answeredAt,
    fromNumber: found.fromNumber ?? null,
    ...(found.noAudio === true && { noAudio: true }),
  };
}
