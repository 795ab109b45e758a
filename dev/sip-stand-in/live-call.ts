/** A call from the INVITE to its end. It runs its number's plan on a leg in a room. */
import { randomBytes } from 'node:crypto';
import { DisconnectReason } from '@livekit/rtc-node';
import { parsedJson, valueAt } from '../../domain/json';
import type { Clock, CancelTimer } from '../simulator/clock';
import type { EndedStep, Step } from '../simulator/plan';
import { SIP_STATUS } from '../simulator/plan';
import type { AnsweredBy, CallState, EndReason } from '../simulator/protocol';
import type { Leg } from './leg';
import { type FarEnd, answeredAtTheEnd, lost, rejectedWith, takenBack, type SipFailure } from './sip-outcome';

export interface CallFacts {
  carrierId: string;
  direction: 'outbound' | 'inbound';
  roomName: string;
  identity: string;
  to: string;
  /** Our call id: the room's name, or for an inbound call the id that appears in the room's metadata once the call is answered. */
  reference: string | null;
}

export interface StateChange {
  state: CallState;
  endReason: EndReason | null;
  sipStatus: number | null;
  answeredBy: AnsweredBy | null;
}

export interface LiveCallOptions {
  facts: CallFacts;
  steps: readonly Step[];
  clock: Clock;
  acceptedAtMs: number;
  maxCallMs: number;
  /** Ring timeout for a caller. A dialled call rings for as long as its plan says. */
  ringTimeoutMs: number;
  farEnd: FarEnd;
  /** When a caller of kind `gives_up` hangs up. */
  givesUpAfterMs: number;
  /** The failure if the call isn't answered within the planned time. */
  unanswered: () => SipFailure;
  /** Called when the leg has joined. livekit-sip joins the room before it sends the INVITE, so no phone rings before this call. */
  placed: () => void;
  record: (call: LiveCall, change: StateChange) => void;
}

/** With livekit-sip v1.10.0, a call that was rejected immediately stayed in its room for 0.15 to 0.2 s. */
export const REJECTED_STAYS_MS = 150;

const REQUEST_TERMINATED = 487;
const MEETS_CANCEL: ReadonlySet<FarEnd> = new Set<FarEnd>(['crossing_cancel', 'answered_too_late']);

/** Reasons that mean the room ended the leg, rather than a lost connection. */
const EVICTED: ReadonlySet<DisconnectReason> = new Set([
  DisconnectReason.ROOM_DELETED,
  DisconnectReason.ROOM_CLOSED,
  DisconnectReason.PARTICIPANT_REMOVED,
]);

export class LiveCall {
  readonly facts: CallFacts;
  /** Resolves to null once the call is answered, or to the failure if it ends unanswered. */
  readonly outcome: Promise<SipFailure | null>;
  private resolveOutcome: (failure: SipFailure | null) => void = () => undefined;
  /** Resolves when the call has ended, answered or not. */
  readonly over: Promise<void>;
  private resolveOver: () => void = () => undefined;
  private leg: Leg | null = null;
  private readonly timers = new Set<CancelTimer>();
  private answeredBy: AnsweredBy | null = null;
  private isAnswered = false;
  private hasFallenSilent = false;
  private isEnded = false;

  constructor(private readonly options: LiveCallOptions) {
    this.facts = options.facts;
    this.outcome = new Promise((resolve) => (this.resolveOutcome = resolve));
    this.over = new Promise((resolve) => (this.resolveOver = resolve));
  }

  get isTalking(): boolean {
    return this.isAnswered && !this.isEnded;
  }

  get ended(): boolean {
    return this.isEnded;
  }

  get isPlaced(): boolean {
    return this.leg !== null;
  }

  get participantId(): string {
    return this.leg?.participantId ?? '';
  }

  /** Called when the leg has joined. The number's script starts here. */
  begin(leg: Leg): void {
    this.leg = leg;
    if (!this.isEnded) this.options.placed();
    void leg.gone.then((reason) => this.gone(reason));
    leg.onEndCall = () => this.hangUp();
    if (this.facts.direction === 'inbound') this.beginInbound(leg);
    else this.beginOutbound();
  }

  private beginInbound(leg: Leg): void {
    const { acceptedAtMs, ringTimeoutMs, givesUpAfterMs, farEnd } = this.options;
    this.say('ringing');
    void leg.heard.then(() => this.answer('human'));
    this.at(acceptedAtMs + ringTimeoutMs, () => this.giveUp());
    if (farEnd === 'gives_up') this.at(acceptedAtMs + givesUpAfterMs, () => this.callerGivesUp());
  }

  private beginOutbound(): void {
    const { acceptedAtMs, maxCallMs, steps, clock } = this.options;
    const joinedAtMs = clock.nowMs();
    this.say('dialing');
    this.at(acceptedAtMs + maxCallMs, () => this.end('max_talk', DisconnectReason.CLIENT_INITIATED));
    for (const step of steps) {
      const atMs = acceptedAtMs + step.after_ms;
      if (step.type === 'ringing') this.at(atMs, () => this.ring());
      if (step.type === 'answered') this.at(atMs, () => this.answer(step.answered_by));
      if (step.type === 'ended' && !steps.some(({ type }) => type === 'answered')) {
        this.at(Math.max(atMs, joinedAtMs + REJECTED_STAYS_MS), () => this.fail(this.rejection(step)));
      }
    }
  }

  /** Ends a call that was not answered, or whose leg could not join. */
  async fail(given: SipFailure): Promise<void> {
    if (this.isEnded) return;
    const crossesCancel = given.isCancelled && MEETS_CANCEL.has(this.options.farEnd);
    const failure = crossesCancel ? answeredAtTheEnd(given, this.options.farEnd) : given;
    if (crossesCancel) {
      this.answeredBy = 'human';
      this.say('answered');
      this.finish('platform', SIP_STATUS.platform);
    } else this.finish(failure.endReason, failure.sipStatus);
    await this.leg?.leave(failure.left);
    this.resolveOutcome(failure);
  }

  /** Ends the call because the caller or callee hung up, or livekit-sip reached its limit. */
  async end(endReason: EndReason, left: DisconnectReason): Promise<void> {
    if (!this.isAnswered)
      return this.fail(endReason === 'max_talk' ? this.options.unanswered() : takenBack());
    if (!this.finish(endReason, SIP_STATUS[endReason])) return;
    if (left === DisconnectReason.CLIENT_INITIATED) await this.leg?.status('hangup');
    await this.leg?.leave(left);
  }

  /** Ends the call because the agent or the platform told livekit-sip to hang up. */
  private async hangUp(): Promise<void> {
    if (!this.finish(this.hungUpBy(), SIP_STATUS.platform)) return;
    await this.leg?.status('hangup');
    await this.leg?.leave(DisconnectReason.CLIENT_INITIATED);
  }

  private async giveUp(): Promise<void> {
    if (!this.isAnswered) await this.fail(this.options.unanswered());
  }

  private async callerGivesUp(): Promise<void> {
    if (this.isAnswered || !this.finish('no_answer', REQUEST_TERMINATED)) return;
    await this.leg?.status('hangup');
    await this.leg?.leave(DisconnectReason.CLIENT_INITIATED);
    this.resolveOutcome(takenBack());
  }

  private rejection(step: EndedStep): SipFailure {
    switch (step.end_reason) {
      case 'busy':
      case 'rejected':
      case 'invalid_number':
      case 'carrier_failure':
        return rejectedWith(step.end_reason);
      default:
        return this.options.unanswered();
    }
  }

  private async ring(): Promise<void> {
    if (this.isEnded) return;
    this.say('ringing');
    await this.leg?.status('ringing');
  }

  private answer(answeredBy: AnsweredBy): void {
    if (this.isEnded || this.isAnswered || this.leg === null) return;
    // Like livekit-sip, doesn't wait until the room has stored this.
    void this.leg.status('active', this.facts.direction === 'outbound' ? dialogAttributes() : {});
    this.isAnswered = true;
    this.answeredBy = answeredBy;
    if (this.facts.direction === 'inbound') this.facts.reference = callIdIn(this.leg.roomMetadata);
    this.say('answered');
    this.resolveOutcome(null);
    if (this.options.farEnd !== 'silent') this.leg.talk();
    this.afterTheAnswer();
  }

  /** Schedules the end of the conversation, relative to the actual answer. */
  private afterTheAnswer(): void {
    const answered = this.options.steps.find(({ type }) => type === 'answered');
    const last = this.options.steps.at(-1);
    if (last?.type !== 'ended' || answered === undefined) return;
    const { clock, maxCallMs } = this.options;
    const endsAtMs = clock.nowMs() + last.after_ms - answered.after_ms;
    if (this.facts.direction === 'inbound') {
      this.at(clock.nowMs() + maxCallMs, () => this.end('max_talk', DisconnectReason.CLIENT_INITIATED));
    }
    switch (last.end_reason) {
      case 'callee':
        return this.at(endsAtMs, () => this.end('callee', DisconnectReason.CLIENT_INITIATED));
      case 'dropped':
        return this.at(endsAtMs, () => this.end('dropped', DisconnectReason.UNKNOWN_REASON));
      // The call continues until its maximum duration.
      case 'max_talk':
        return;
      // The agent must end the call. The phone goes silent and waits until the agent hangs up.
      default:
        return this.at(endsAtMs, () => this.fallSilent());
    }
  }

  private fallSilent(): void {
    this.hasFallenSilent = true;
    this.leg?.fallSilent();
  }

  /** Handles a leg that left the room although this call didn't end it. */
  private async gone(reason: DisconnectReason): Promise<void> {
    if (this.isEnded) return;
    const isEvicted = EVICTED.has(reason);
    if (!this.isAnswered) return this.fail(isEvicted ? takenBack() : lost());
    if (!isEvicted) this.finish('dropped', null);
    else this.finish(this.hungUpBy(), SIP_STATUS.platform);
  }

  private hungUpBy(): EndReason {
    return this.hasFallenSilent ? 'agent' : 'platform';
  }

  /** Returns false if the call has already ended. */
  private finish(endReason: EndReason, sipStatus: number | null): boolean {
    if (this.isEnded) return false;
    this.isEnded = true;
    for (const cancel of this.timers) cancel();
    this.timers.clear();
    this.options.record(this, { state: 'ended', endReason, sipStatus, answeredBy: this.answeredBy });
    this.resolveOver();
    return true;
  }

  private say(state: CallState): void {
    if (this.isEnded) return;
    this.options.record(this, { state, endReason: null, sipStatus: null, answeredBy: this.answeredBy });
  }

  private at(atMs: number, run: () => Promise<void> | void): void {
    const { clock } = this.options;
    const cancel = clock.after(Math.max(0, atMs - clock.nowMs()), () => {
      this.timers.delete(cancel);
      void run();
    });
    this.timers.add(cancel);
  }
}

/** Attributes of a SIP dialog: the call's id at the trunk, and the far end's tag from its first response. */
export const dialogAttributes = (): Record<string, string> => ({
  'sip.callIDFull': randomBytes(15).toString('base64url'),
  'sip.callTag': randomBytes(6).toString('hex'),
});

/** The agent writes the call's record into the room's metadata. */
function callIdIn(metadata: string): string | null {
  const id = valueAt(parsedJson(metadata), 'call_id');
  return typeof id === 'string' ? id : null;
}
