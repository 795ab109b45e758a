/** Plans a call's whole course when it is placed, so that a restarted simulator can continue it by the clock. */
import { converse } from './conversation';
import { type AnsweredOutcome, type Outcome, spreadMs } from './numbers';
import type { AnsweredBy, CarrierAgent, EndReason, Segment } from './protocol';

export type Step =
  | { type: 'dialing' | 'ringing'; after_ms: number }
  | { type: 'answered'; after_ms: number; answered_by: AnsweredBy }
  | ({ type: 'segment'; after_ms: number } & Segment)
  | EndedStep;

export interface EndedStep {
  type: 'ended';
  after_ms: number;
  end_reason: EndReason;
  sip_status: number;
  answered_by: AnsweredBy | null;
}

export interface Timings {
  ringMs: number;
  talkMs: number;
  /** Maximum ring time, after which the scripted outcome follows immediately. */
  ringCapMs: number | null;
}

export interface PlanInput {
  /** The number of the callee or caller. It seeds the variation and the conversation. */
  number: string;
  outcome: Outcome;
  ringTimeoutMs: number;
  maxTalkMs: number;
  agent: CarrierAgent;
  variables: Record<string, unknown>;
  timings: Timings;
}

/** Maximum setup time before the first ring. Setup takes a tenth of the ring time. */
const MAX_SETUP_MS = 200;
/** Share of the ring timeout that a number with `long` ringing uses. */
const LONG_RING = 0.9;

export const SIP_STATUS: Record<EndReason, number> = {
  agent: 200,
  callee: 200,
  platform: 200,
  max_talk: 200,
  dropped: 200,
  no_answer: 480,
  busy: 486,
  rejected: 603,
  invalid_number: 404,
  carrier_failure: 503,
};

/** Returns the steps in order. `after_ms` counts from the accepted POST, and the last step is always `ended`. */
export function planCall(input: PlanInput): Step[] {
  const { outcome, timings } = input;
  const ringMs = spreadMs(timings.ringMs, `ring:${input.number}`);
  const setupMs = Math.min(Math.round(ringMs / 10), MAX_SETUP_MS);
  const limitMs = Math.min(input.ringTimeoutMs, timings.ringCapMs ?? Infinity);
  const dialing: Step = { type: 'dialing', after_ms: 0 };
  const ringing: Step = { type: 'ringing', after_ms: setupMs };
  if (outcome.kind === 'unanswered') {
    switch (outcome.endReason) {
      case 'no_answer':
        return [dialing, ringing, ended(setupMs + limitMs, 'no_answer')];
      case 'rejected':
        return [dialing, ringing, ended(setupMs + Math.min(ringMs - setupMs, limitMs), 'rejected')];
      case 'busy':
      case 'invalid_number':
      case 'carrier_failure':
        return [dialing, ended(Math.min(Math.round(ringMs / 2), limitMs), outcome.endReason)];
    }
  }
  const ringForMs = outcome.ring === 'long' ? Math.floor(limitMs * LONG_RING) : ringMs - setupMs;
  const cappedMs = Math.min(ringForMs, timings.ringCapMs ?? Infinity);
  if (cappedMs > input.ringTimeoutMs) {
    return [dialing, ringing, ended(setupMs + input.ringTimeoutMs, 'no_answer')];
  }
  return [dialing, ringing, ...planTalk(input, outcome, setupMs + cappedMs)];
}

/** Plans the call of a caller who rings until the platform decides. Before the decision, `after_ms` only defines the order. */
export function planInboundCall(input: PlanInput & { outcome: AnsweredOutcome }): Step[] {
  return [{ type: 'ringing', after_ms: 0 }, ...planTalk(input, input.outcome, 0)];
}

function planTalk(input: PlanInput, outcome: AnsweredOutcome, answeredMs: number): Step[] {
  const usualMs = spreadMs(input.timings.talkMs, `talk:${input.number}`);
  const wishedMs = outcome.endReason === 'max_talk' ? input.maxTalkMs : usualMs;
  const talkMs = Math.min(wishedMs, input.maxTalkMs);
  const cut = outcome.endReason === 'dropped';
  const endMs = cut ? Math.floor(talkMs / 2) : talkMs;
  const endReason = wishedMs > input.maxTalkMs && !cut ? 'max_talk' : outcome.endReason;
  const segments = converse({
    kind: outcome.conversation,
    seed: input.number,
    agent: input.agent,
    variables: input.variables,
    talkMs,
  }).filter((segment) => segment.end_ms <= endMs);
  return [
    { type: 'answered', after_ms: answeredMs, answered_by: outcome.answeredBy },
    ...segments.map((segment): Step => {
      return { type: 'segment', after_ms: answeredMs + segment.end_ms, ...segment };
    }),
    ended(answeredMs + endMs, endReason, outcome.answeredBy),
  ];
}

function ended(afterMs: number, reason: EndReason, answeredBy: AnsweredBy | null = null): EndedStep {
  return {
    type: 'ended',
    after_ms: afterMs,
    end_reason: reason,
    sip_status: SIP_STATUS[reason],
    answered_by: answeredBy,
  };
}
