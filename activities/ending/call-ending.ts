import * as calls from '../../db/calls/engine';
import { endCall } from '../../db/calls/ends';
import { replacedTimes } from '../../runtime/observability/replaced-times';
import { signalWorkflows } from '../../runtime/signal-workflows';
import { callEndOf, type EndFacts } from '../../domain/call-end';
import type { CallStatus, FinalCallStatus } from '../../domain/call-outcome';
import type { ActivityDependencies } from '../dependencies';
import type { CarrierCall } from '../telephony/port';

/** How a call ends that has no row: the API took the row back because it could not start the workflow, and then it could after all. */
export const WITHOUT_ROW: FinalCallStatus = 'error';

/**
 * Writes the end of a call unless it is over already, hands over its line, and returns the final status that stands. The call's own
 * workflow is not signalled: it is the one that asks, or reconciliation signals it.
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
  const decision = await endCall(db, callId, end, now, replacedTimes({ metrics, log }));
  if (decision !== null) {
    metrics.callEnded(end);
    await signalWorkflows(signals, log, decision);
  }
  const state = await calls.callState(db, callId);
  return state?.callStatus ?? WITHOUT_ROW;
}

/** What the carrier says of a call that it has ended. */
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
