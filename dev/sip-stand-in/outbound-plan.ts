/** The course of a call that is dialled, by its number: the simulator's table, or what only a phone network does. */
import { outcomeOf, scriptFor, type Outcome } from '../simulator/numbers';
import { planCall, SIP_STATUS, type Step, type Timings } from '../simulator/plan';
import { farEndOf } from './far-end';
import type { ParticipantRequest } from './participant-request';
import { noResponse, rangOut, refusedBy, type SipFailure } from './sip-outcome';

/** There are no words over SIP before there is a voice: segments of the plan are never spoken. */
export const WORDLESS = { agent: { name: '', greeting: '', prompt: '' }, variables: {} };

export interface OutboundPlan {
  steps: Step[];
  /** What it means that nobody answers within the plan's time. */
  unanswered: () => SipFailure;
}

type Ringing = Pick<ParticipantRequest, 'to' | 'ringTimeoutMs' | 'maxCallMs'>;

/** RFC 3261's timer B, 64 times T1: for so long an INVITE waits for its first response. */
const TIMER_B_MS = 32_000;
/** Between INVITE and 180. */
const SETUP_MS = 100;

/** `nthCall` counts the calls to the number from 1. */
export function planOutbound(request: Ringing, nthCall: number, timings: Timings): OutboundPlan {
  const { ringTimeoutMs } = request;
  switch (farEndOf(request.to)) {
    case 'dead_trunk':
      return TIMER_B_MS < ringTimeoutMs
        ? { steps: unanswered(TIMER_B_MS, false), unanswered: noResponse }
        : { steps: unanswered(ringTimeoutMs, false), unanswered: reachedNobody };
    case 'only_trying':
      return { steps: unanswered(ringTimeoutMs, false), unanswered: reachedNobody };
    case 'crossing_cancel':
    case 'answered_too_late':
      return { steps: unanswered(ringTimeoutMs, true), unanswered: rangOut };
    default:
      return planByTable(request, nthCall, timings);
  }
}

/** To the bridge the same as ringing out; but no phone rang, and so it stands in the log. */
const reachedNobody = (): SipFailure => ({ ...rangOut(), endReason: 'carrier_failure' });

function planByTable(request: Ringing, nthCall: number, timings: Timings): OutboundPlan {
  const steps = planCall({
    number: request.to,
    outcome: sayable(outcomeOf(scriptFor(request.to), nthCall)),
    ringTimeoutMs: request.ringTimeoutMs,
    maxTalkMs: request.maxCallMs,
    timings,
    ...WORDLESS,
  });
  // A far end that gives up says so; a time-out of ours, nobody.
  const isCapped = timings.ringCapMs !== null && timings.ringCapMs < request.ringTimeoutMs;
  return { steps, unanswered: () => (isCapped ? refusedBy('no_answer') : rangOut()) };
}

function unanswered(afterMs: number, rings: boolean): Step[] {
  const ended: Step = {
    type: 'ended',
    after_ms: afterMs,
    end_reason: 'no_answer',
    sip_status: SIP_STATUS.no_answer,
    answered_by: null,
  };
  const ringing: Step = { type: 'ringing', after_ms: Math.min(SETUP_MS, afterMs) };
  return [{ type: 'dialing', after_ms: 0 }, ...(rings ? [ringing] : []), ended];
}

/** Who asks to be called back does it in words. */
function sayable(outcome: Outcome): Outcome {
  return outcome.kind === 'answered' ? { ...outcome, conversation: 'talk' } : outcome;
}
