import { randomBytes } from 'node:crypto';
import { parsedJson, valueAt } from '../../domain/json';
import { applyStep, type Call, callOf, dueMs, endedBy } from './call';
import { isoOf, type Clock } from './clock';
import type { Counters, CallHistory } from './history';
import { eventOf, type EventSender, type Progress } from './events';
import type { PlacedEntry, SimulatorLog } from './log';
import { outcomeOf, scriptFor } from './numbers';
import { planCall, planInboundCall, SIP_STATUS, type Step, type Timings } from './plan';
import type { CallRequest, InboundRoute } from './protocol';

interface ExchangeOptions {
  clock: Clock;
  log: SimulatorLog;
  sender: EventSender;
  counters: Counters;
  timings: Timings;
  /** How long `GET /calls` doesn't find a call whose reply was lost. */
  lookupLagMs: number;
}

/** All inbound callers behave like this, regardless of their number. */
const INBOUND_MAX_TALK_MS = 3_600_000;
const INBOUND_OUTCOME = {
  kind: 'answered',
  answeredBy: 'human',
  ring: 'usual',
  endReason: 'agent',
  conversation: 'talk',
} as const;
const SIP_CANCELLED = 487;

/** Holds all calls and advances them. Each call has one timer, which fires at its next step. */
export class Exchange {
  private readonly calls = new Map<string, Call>();
  private readonly byReference = new Map<string, Call[]>();

  constructor(private readonly options: ExchangeOptions) {}

  /** Places a call, even if its reference was used before. */
  place(request: CallRequest, atMs: number): Call {
    const { counters, timings } = this.options;
    const nthCall = counters.callsTo(request.to) + 1;
    const steps = planCall({
      number: request.to,
      outcome: outcomeOf(scriptFor(request.to), nthCall),
      ringTimeoutMs: request.ring_timeout_s * 1000,
      maxTalkMs: request.max_talk_s * 1000,
      agent: request.agent,
      variables: request.variables,
      timings,
    });
    counters.callPlaced(request.reference, request.to);
    return this.enter({
      kind: 'placed',
      at: isoOf(atMs),
      direction: 'outbound',
      carrier_id: newCarrierId(),
      reference: request.reference,
      to: request.to,
      from: request.from,
      events_url: request.events_url,
      steps,
    });
  }

  /** Simulates a caller who rings one of our numbers and waits for the platform's decision. */
  ring(route: InboundRoute, to: string, from: string): Call {
    const steps = planInboundCall({
      number: from,
      outcome: INBOUND_OUTCOME,
      ringTimeoutMs: Infinity,
      maxTalkMs: INBOUND_MAX_TALK_MS,
      agent: route.agent,
      variables: {},
      timings: this.options.timings,
    });
    return this.enter({
      kind: 'placed',
      at: isoOf(this.options.clock.nowMs()),
      direction: 'inbound',
      carrier_id: newCarrierId(),
      reference: null,
      to,
      from,
      events_url: route.events_url,
      steps,
    });
  }

  /** Returns the calls with this reference. A call whose reply was lost stays hidden for a while. */
  find(reference: string): Call[] {
    const visibleSinceMs = this.options.clock.nowMs() - this.options.lookupLagMs;
    return (this.byReference.get(reference) ?? []).filter(
      (call) =>
        call.direction === 'inbound' ||
        scriptFor(call.to).reply === 'sent' ||
        call.acceptedAtMs <= visibleSinceMs,
    );
  }

  hangUp(carrierId: string): { result: 'hung_up' | 'over'; call: Call } | { result: 'unknown' } {
    const call = this.calls.get(carrierId);
    if (call === undefined) return { result: 'unknown' };
    if (call.state === 'ended') return { result: 'over', call };
    this.end(
      call,
      endedBy(call, 'platform', call.answeredAtMs === null ? SIP_CANCELLED : SIP_STATUS.platform),
    );
    return { result: 'hung_up', call };
  }

  /** Resumes the calls of an earlier process. Steps that were due before the restart get the time at which they were due. */
  restore(history: readonly CallHistory[], deliveries: ReadonlyMap<string, Progress>): void {
    for (const past of history) this.catchUp(this.register(past.placed), past, deliveries);
  }

  close(): void {
    for (const call of this.calls.values()) call.cancelTimer?.();
  }

  private enter(entry: PlacedEntry): Call {
    this.options.log.write(entry);
    const call = this.register(entry);
    this.schedule(call);
    return call;
  }

  private register(entry: PlacedEntry): Call {
    const call = callOf(entry);
    this.calls.set(call.carrierId, call);
    if (call.reference !== null) this.refer(call, call.reference);
    return call;
  }

  private refer(call: Call, reference: string): void {
    call.reference = reference;
    const calls = this.byReference.get(reference);
    if (calls === undefined) this.byReference.set(reference, [call]);
    else if (!calls.includes(call)) calls.push(call);
  }

  private schedule(call: Call): void {
    const step = call.steps[call.next];
    if (step === undefined || waitsForPlatform(call, step)) return;
    const stepDueMs = dueMs(call, step);
    const { clock } = this.options;
    call.cancelTimer = clock.after(Math.max(0, stepDueMs - clock.nowMs()), () => {
      // A segment gets its planned time. A state change gets the actual time, which may be later on a busy machine.
      const atMs = step.type === 'segment' ? stepDueMs : Math.max(stepDueMs, clock.nowMs());
      this.perform(call, call.next, step, atMs);
      this.schedule(call);
    });
  }

  private perform(call: Call, index: number, step: Step, atMs: number): void {
    this.record(call, index, step, atMs);
    this.emit(call, index, step, atMs);
  }

  private record(call: Call, index: number, step: Step, atMs: number): void {
    applyStep(call, step, atMs);
    call.next = step.type === 'ended' ? call.steps.length : index + 1;
    if (step.type === 'segment') return;
    if (step.type === 'ended' && call.direction === 'outbound') this.options.counters.callEnded();
    this.options.log.write({
      kind: 'state',
      at: isoOf(atMs),
      carrier_id: call.carrierId,
      reference: call.reference,
      to: call.to,
      state: call.state,
      end_reason: call.endReason,
      sip_status: call.sipStatus,
      answered_by: call.answeredBy,
    });
  }

  private emit(
    call: Call,
    index: number,
    step: Step,
    atMs: number,
    earlier?: ReadonlyMap<string, Progress>,
  ): void {
    const event = eventOf(call, index, step, atMs);
    if (event === null) return;
    if (event.type !== 'inbound') this.options.sender.send(event, earlier);
    else {
      const request = {
        ...event,
        onAnswer: (body: string) => this.decide(call, body),
        onGivenUp: () => this.end(call, endedBy(call, 'no_answer', SIP_STATUS.no_answer)),
      };
      this.options.sender.send(request, earlier);
    }
  }

  private decide(call: Call, body: string): void {
    const step = call.steps[call.next];
    if (call.state === 'ended' || step === undefined || !waitsForPlatform(call, step)) return;
    const decision = decideInbound(body);
    if (decision.accept) {
      this.refer(call, decision.reference);
      this.perform(call, call.next, step, this.options.clock.nowMs());
      this.schedule(call);
    } else {
      if (decision.say !== null) {
        call.transcript.push({ speaker: 'agent', text: decision.say, start_ms: 0, end_ms: 0 });
      }
      this.end(call, endedBy(call, 'rejected', SIP_STATUS.rejected));
    }
  }

  private end(call: Call, step: Step): void {
    if (call.state === 'ended') return;
    call.cancelTimer?.();
    this.perform(call, call.steps.length - 1, step, this.options.clock.nowMs());
  }

  private catchUp(call: Call, past: CallHistory, deliveries: ReadonlyMap<string, Progress>): void {
    const nowMs = this.options.clock.nowMs();
    const endedAtMs = past.ended === null ? null : Date.parse(past.ended.at);
    for (const [index, planned] of call.steps.entries()) {
      const logged = planned.type === 'segment' ? undefined : past.states.get(planned.type);
      if (logged === undefined) {
        if (past.ended !== null && (planned.type !== 'segment' || call.answeredAtMs === null)) continue;
        if (waitsForPlatform(call, planned)) break;
        const stepDueMs = dueMs(call, planned);
        if (stepDueMs > (endedAtMs ?? nowMs)) {
          if (endedAtMs === null) break;
          continue;
        }
        this.record(call, index, planned, stepDueMs);
        this.emit(call, index, planned, stepDueMs, deliveries);
        continue;
      }
      if (logged.reference !== null) this.refer(call, logged.reference);
      const step = planned.type === 'ended' ? endedAs(past, planned) : planned;
      const atMs = Date.parse(logged.at);
      applyStep(call, step, atMs);
      call.next = index + 1;
      this.emit(call, index, step, atMs, deliveries);
    }
    this.schedule(call);
  }
}

const waitsForPlatform = (call: Call, step: Step): boolean =>
  call.direction === 'inbound' && step.type === 'answered';

/** Returns the call's actual end, which may differ from the planned one. */
function endedAs(past: CallHistory, planned: Step): Step {
  const entry = past.ended;
  if (entry?.end_reason == null) return planned;
  return {
    type: 'ended',
    after_ms: planned.after_ms,
    end_reason: entry.end_reason,
    sip_status: entry.sip_status ?? SIP_STATUS[entry.end_reason],
    answered_by: entry.answered_by,
  };
}

const newCarrierId = (): string => `sim_${randomBytes(12).toString('hex')}`;

type InboundDecision = { accept: true; reference: string } | { accept: false; say: string | null };

/** Reads the platform's response to an `inbound` event. Anything except a clear acceptance is a rejection. */
function decideInbound(body: string): InboundDecision {
  const answer = parsedJson(body);
  const [accept, reference, say] = ['accept', 'reference', 'say'].map((name) => valueAt(answer, name));
  if (accept === true && typeof reference === 'string' && reference !== '') {
    return { accept: true, reference };
  }
  return { accept: false, say: typeof say === 'string' ? say : null };
}
