import { randomBytes } from 'node:crypto';
import type {
  CarrierCall,
  DialAnswer,
  DialRequest,
  HeldCall,
  InboundRoute,
  LookUp,
  Telephony,
} from '../../../activities/telephony/port';
import type { CarrierEndReason } from '../../../domain/call-outcome';
import type { PhoneCall } from './phone-workflow';
import { carrierCall } from '../../db/support/carrier-call';

/** Behaviour of a number, call by call. The last entry repeats. */
export type PhoneScript = readonly {
  /**
   * `never_reported`: the call ends without an event. `lost`: the carrier forgets the call. `rings`: the call rings until it is hung up.
   */
  endReason: CarrierEndReason | 'never_reported' | 'lost' | 'rings';
  talkMs: number;
  /** Words of the callee. Default: none. */
  says?: string;
}[];

export interface Dial {
  to: string;
  reference: string;
  /** In workflow time. */
  at: number;
}

const ONE_MINUTE_TALK: PhoneScript[number] = { endReason: 'agent', talkMs: 60_000 };

/** A carrier whose calls take workflow time. */
export class FakeCarrier implements Telephony {
  readonly dials: Dial[] = [];
  /** The routes that were set for the platform's numbers. */
  readonly routes = new Map<string, InboundRoute['agent']>();
  /** Called before the carrier responds to a request about a route. It may throw the response. */
  onRoute: (number: string) => void = () => undefined;
  /** Carrier ids of the calls that were hung up. */
  readonly hungUp: string[] = [];
  /** The highest number of simultaneously live calls. */
  peakLive = 0;
  /** Number of dial requests received, placed or not. */
  asked = 0;
  /** Called during a dial, before the response. A test can send a signal here. */
  onDial: (dial: Dial) => Promise<void> = () => Promise.resolve();
  /** The response to return instead of placing a call. */
  answerDial: (() => DialAnswer | Promise<DialAnswer>) | null = null;
  /** Called with a live call that was hung up, as an event would report it. */
  onHungUp: (call: CarrierCall) => Promise<void> = () => Promise.resolve();
  /** Prepares each call before its dial. Null if no preparation is needed. */
  prepareCall: ((reference: string, isBrief: boolean) => ReturnType<Telephony['prepare']>) | null = null;
  /** References of calls that were prepared but not dialled. */
  readonly released: string[] = [];
  /** References of the browser sessions that were opened. */
  readonly sessions: string[] = [];
  /** Whether a call that is missing from a look-up is over. */
  goneMeansOver = false;
  private readonly scripts = new Map<string, PhoneScript>();
  private readonly calls = new Map<string, CarrierCall>();

  constructor(
    readonly now: () => Promise<number>,
    private readonly ring: (call: PhoneCall) => Promise<void>,
  ) {}

  script(to: string, script: PhoneScript): void {
    this.scripts.set(to, script);
  }

  needsCallerId(): boolean {
    return false;
  }

  pendingDialMs(): number {
    return 4_000;
  }

  preparesFirst(): boolean {
    return this.prepareCall !== null;
  }

  prepare(reference: string, options?: { waitMs: number }): ReturnType<Telephony['prepare']> {
    return this.prepareCall?.(reference, options !== undefined) ?? Promise.resolve({ kind: 'ready' });
  }

  async release(reference: string): Promise<void> {
    this.released.push(reference);
    return Promise.resolve();
  }

  async createSession({ reference }: { reference: string }): Promise<{ kind: 'placed'; carrierId: string }> {
    this.sessions.push(reference);
    return Promise.resolve({ kind: 'placed', carrierId: reference });
  }

  held(): Promise<HeldCall[]> {
    const live = [...this.calls.values()].filter(({ state }) => state !== 'ended');
    return Promise.resolve(
      live.map(({ carrierId, reference }) => ({ carrierId, reference, heldSince: 0, isMarked: true })),
    );
  }

  async dial({ to, reference }: DialRequest): Promise<DialAnswer> {
    this.asked++;
    if (this.answerDial !== null) return this.answerDial();
    const before = this.dials.filter((dial) => dial.to === to).length;
    const script = this.scripts.get(to) ?? [];
    const dial = { to, reference, at: await this.now() };
    this.dials.push(dial);
    await this.onDial(dial);
    const carrierId = randomBytes(6).toString('hex');
    const course = script[Math.min(before, script.length - 1)] ?? ONE_MINUTE_TALK;
    this.calls.set(carrierId, { ...liveCall(carrierId, reference), transcript: spoken(course.says) });
    const live = [...this.calls.values()].filter(({ state }) => state !== 'ended').length;
    this.peakLive = Math.max(this.peakLive, live);
    await this.talk(carrierId, reference, course);
    return { kind: 'placed', carrierId };
  }

  async find(reference: string): Promise<LookUp> {
    const calls = [...this.calls.values()].filter((call) => call.reference === reference);
    return { calls, carrierTime: await this.now(), lagMs: 2_000, goneMeansOver: this.goneMeansOver };
  }

  async hangUp(carrierId: string): Promise<'ending' | 'over'> {
    this.hungUp.push(carrierId);
    const call = this.calls.get(carrierId);
    if (call === undefined || call.state === 'ended') return 'over';
    this.end(carrierId, { endReason: 'platform', endedAt: await this.now() });
    await this.onHungUp(this.calls.get(carrierId) ?? call);
    return 'ending';
  }

  /** This carrier never loses phones. */
  retrieve(): Promise<{ kind: 'absent' }> {
    return Promise.resolve({ kind: 'absent' });
  }

  async setInboundRoute({ number, agent }: InboundRoute): Promise<void> {
    this.onRoute(number);
    this.routes.set(number, agent);
    return Promise.resolve();
  }

  async removeInboundRoute(number: string): Promise<void> {
    this.onRoute(number);
    this.routes.delete(number);
    return Promise.resolve();
  }

  /** Adds a caller that the platform accepted under this reference. The caller talks until a hang-up or until `end` is called. */
  letIn(carrierId: string, reference: string): void {
    this.calls.set(carrierId, liveCall(carrierId, reference));
  }

  /** Makes later look-ups miss this call. */
  forget(reference: string): void {
    for (const [carrierId, call] of this.calls)
      if (call.reference === reference) this.calls.delete(carrierId);
  }

  /** Sets the end that a later look-up returns. */
  end(carrierId: string, facts: { endReason: CarrierEndReason; endedAt: number; answeredAt?: number }): void {
    const call = this.calls.get(carrierId);
    if (call === undefined) return;
    this.calls.set(carrierId, {
      ...call,
      state: 'ended',
      endReason: facts.endReason,
      endedAt: new Date(facts.endedAt).toISOString(),
      answeredAt: facts.answeredAt === undefined ? null : new Date(facts.answeredAt).toISOString(),
    });
  }

  private async talk(carrierId: string, reference: string, course: PhoneScript[number]): Promise<void> {
    const { endReason, talkMs } = course;
    if (endReason === 'lost') this.calls.delete(carrierId);
    else if (endReason === 'rings') this.calls.set(carrierId, ringingCall(carrierId, reference));
    else if (endReason === 'never_reported') {
      this.end(carrierId, { endReason: 'agent', endedAt: (await this.now()) + talkMs });
    } else await this.ring({ reference, carrierId, endReason, talkMs });
  }
}

function spoken(text: string | undefined): CarrierCall['transcript'] {
  return text === undefined ? [] : [{ speaker: 'user', text, startMs: 1_000, endMs: 4_000 }];
}

function ringingCall(carrierId: string, reference: string): CarrierCall {
  return { ...liveCall(carrierId, reference), state: 'ringing', answeredBy: null };
}

function liveCall(carrierId: string, reference: string): CarrierCall {
  return carrierCall({ carrierId, reference, state: 'answered', answeredBy: 'human' });
}
