/** Holds the stand-in's calls and logs them in the simulator's format, so that the same checks can read both. */
import { DisconnectReason } from '@livekit/rtc-node';
import { setTimeout as delay } from 'node:timers/promises';
import { isoOf, type Clock } from '../simulator/clock';
import type { Counters } from '../simulator/history';
import type { SimulatorLog } from '../simulator/log';
import { outcomeOf, scriptFor, spreadMs, type Outcome } from '../simulator/numbers';
import { planInboundCall, type Step, type Timings, planCall, SIP_STATUS } from '../simulator/plan';
import { farEndOf, notJoined, rangOut, rejectedWith, type SipFailure, noResponse } from './sip-outcome';
import { Leg, type LegOptions } from './leg';
import {
  dialogAttributes,
  LiveCall,
  REJECTED_STAYS_MS,
  type CallFacts,
  type LiveCallOptions,
  type StateChange,
} from './live-call';
import { newSipCallId, type ParticipantRequest } from './participant-request';
import type { Matched } from './dispatch-rules';

interface SwitchboardOptions {
  clock: Clock;
  log: SimulatorLog;
  counters: Counters;
  timings: Timings;
  /** The server that the legs join. */
  server: Pick<LegOptions, 'url' | 'apiKey' | 'apiSecret'>;
}

export class Switchboard {
  private readonly calls = new Set<LiveCall>();

  constructor(private readonly options: SwitchboardOptions) {}

  /** Dials a call. Resolves once the leg has joined the room or failed to join. The call continues in the background. */
  async place(request: ParticipantRequest): Promise<LiveCall> {
    const { clock, counters, timings } = this.options;
    const acceptedAtMs = clock.nowMs();
    const plan = planOutbound(request, counters.callsTo(request.to) + 1, timings);
    counters.callPlaced(request.roomName, request.to);
    const facts: CallFacts = {
      carrierId: request.sipCallId,
      direction: 'outbound',
      roomName: request.roomName,
      identity: request.identity,
      to: request.to,
      reference: request.roomName,
    };
    const number = request.to;
    const call = this.enter({ facts, ...plan, number, acceptedAtMs, from: request.from, request });
    const sendsNothing = farEndOf(request.to) === 'silent';
    await this.join(call, { ...request, listens: false, sendsNothing }, 'dialing');
    return call;
  }

  /** Rejects the number as invalid: a participant joins and leaves, and no phone rings. */
  async rejectNumber(request: ParticipantRequest): Promise<SipFailure> {
    const failure = rejectedWith('invalid_number');
    const leg = await Leg.join({ ...this.options.server, ...request, listens: false }, 'dialing');
    await delay(REJECTED_STAYS_MS);
    await leg.leave(failure.left);
    return failure;
  }

  /** Starts an inbound call, which is answered when a participant in the room becomes audible. */
  async ring(matched: Matched, to: string, from: string): Promise<LiveCall> {
    const acceptedAtMs = this.options.clock.nowMs();
    const steps = this.planInbound(from);
    const sipCallId = newSipCallId();
    const { roomName, identity, maxCallMs, ringTimeoutMs } = matched;
    const facts = {
      carrierId: sipCallId,
      direction: 'inbound',
      roomName,
      identity,
      to,
      reference: null,
    } as const;
    const request = { maxCallMs, ringTimeoutMs };
    const call = this.enter({
      facts,
      steps,
      unanswered: rangOut,
      number: from,
      acceptedAtMs,
      from,
      request,
    });
    const attributes = { ...matched.attributes, 'sip.callID': sipCallId, ...dialogAttributes() };
    await this.join(call, { ...matched, attributes, listens: true }, 'ringing');
    return call;
  }

  find(roomName: string, identity: string): LiveCall | null {
    for (const call of this.calls) {
      if (call.facts.roomName === roomName && call.facts.identity === identity) return call;
    }
    return null;
  }

  /** Drops all live calls, like a livekit-sip that is stopped. */
  async close(): Promise<void> {
    const live = [...this.calls];
    await Promise.all(live.map((call) => call.end('dropped', DisconnectReason.UNKNOWN_REASON)));
  }

  private planInbound(from: string): Step[] {
    const scripted = outcomeOf(scriptFor(from), 1);
    const outcome = scripted.kind === 'answered' ? scripted : outcomeOf(scriptFor('00'), 1);
    if (outcome.kind !== 'answered') throw new Error('the script of 00 does not answer');
    return planInboundCall({
      number: from,
      outcome: { ...outcome, conversation: 'talk' },
      ringTimeoutMs: Infinity,
      maxTalkMs: Infinity,
      timings: this.options.timings,
      ...WORDLESS,
    });
  }

  private enter(placed: {
    facts: CallFacts;
    steps: readonly Step[];
    unanswered: LiveCallOptions['unanswered'];
    /** Number of the callee, or of the caller for an inbound call. */
    number: string;
    acceptedAtMs: number;
    from: string;
    request: Pick<ParticipantRequest, 'maxCallMs' | 'ringTimeoutMs'>;
  }): LiveCall {
    const { facts, steps, unanswered, number, acceptedAtMs, request, from } = placed;
    const { clock, log, timings } = this.options;
    const call = new LiveCall({
      facts,
      steps,
      clock,
      acceptedAtMs,
      maxCallMs: request.maxCallMs,
      ringTimeoutMs: request.ringTimeoutMs,
      farEnd: farEndOf(number),
      givesUpAfterMs: spreadMs(timings.ringMs, `ring:${number}`),
      unanswered,
      placed: () =>
        log.write({
          kind: 'placed',
          at: isoOf(acceptedAtMs),
          direction: facts.direction,
          carrier_id: facts.carrierId,
          reference: facts.reference,
          to: facts.to,
          from,
          events_url: '',
          steps: [...steps],
        }),
      record: (of, change) => this.record(of, change),
    });
    this.calls.add(call);
    return call;
  }

  private record(call: LiveCall, change: StateChange): void {
    const { clock, log, counters } = this.options;
    // The log has no end for a call that was never dialled.
    if (call.isPlaced)
      log.write({
        kind: 'state',
        at: isoOf(clock.nowMs()),
        carrier_id: call.facts.carrierId,
        reference: call.facts.reference,
        to: call.facts.to,
        state: change.state,
        end_reason: change.endReason,
        sip_status: change.sipStatus,
        answered_by: change.answeredBy,
      });
    if (change.state !== 'ended') return;
    this.calls.delete(call);
    if (call.facts.direction === 'outbound') counters.callEnded();
  }

  private async join(
    call: LiveCall,
    options: Omit<LegOptions, 'url' | 'apiKey' | 'apiSecret'>,
    status: 'dialing' | 'ringing',
  ): Promise<void> {
    try {
      call.begin(await Leg.join({ ...this.options.server, ...options }, status));
    } catch (error) {
      console.error(`sip stand-in: room ${call.facts.direction} could not be joined: ${String(error)}`);
      await call.fail(notJoined());
    }
  }
}

/** The stand-in plays no speech, so the plan's segments are never spoken. */
const WORDLESS = { agent: { name: '', greeting: '', prompt: '' }, variables: {} };

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
