/** Plans a dialled call by its number, according to the simulator's table or the behaviour of a phone network. */
import { outcomeOf, scriptFor, type Outcome } from '../simulator/numbers';
import { planCall, SIP_STATUS, type Step, type Timings } from '../simulator/plan';
import { farEndOf, noResponse, rangOut, rejectedWith, type SipFailure } from './sip-outcome';
import type { ParticipantRequest } from './participant-request';

/** The stand-in plays no speech, so the plan's segments are never spoken. */
export const WORDLESS = { agent: { name: '', greeting: '', prompt: '' }, variables: {} };

interface OutboundPlan {
  steps: Step[];
  /** The failure if the call isn't answered within the planned time. */
  unanswered: () => SipFailure;
}

type Ringing = Pick<ParticipantRequest, 'to' | 'ringTimeoutMs' | 'maxCallMs'>;

/** RFC 3261's timer B, 64 times T1: how long an INVITE waits for its first response. */
const TIMER_B_MS = 32_000;
/** Time between the INVITE and the 180. */
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

/** The bridge reports the same failure as when a call rings out. The log shows that no phone rang. */
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
  // The far end sends a status if the ring cap ends the call, but not if our own ring timeout does.
  const isCapped = timings.ringCapMs !== null && timings.ringCapMs < request.ringTimeoutMs;
  return { steps, unanswered: () => (isCapped ? rejectedWith('no_answer') : rangOut()) };
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

/** A callee requests a callback in words, and the stand-in has no speech. */
function sayable(outcome: Outcome): Outcome {
  return outcome.kind === 'answered' ? { ...outcome, conversation: 'talk' } : outcome;
}
