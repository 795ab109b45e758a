import { randomBytes } from 'node:crypto';
import type {
  CarrierCall,
  DialAnswer,
  DialRequest,
  LookUp,
  Telephony,
} from '../../../activities/telephony/port';
import type { CarrierEndReason } from '../../../workflows/domain/call-outcome';
import type { PhoneCall } from './phone-workflow';

/** What a number does, call by call; the last entry repeats. */
export type PhoneScript = readonly {
  /** `never_told`: it ends and no event says so. `lost`: the carrier forgets it. `rings`: until it is hung up. */
  endReason: CarrierEndReason | 'never_told' | 'lost' | 'rings';
  talkMs: number;
  /** What its person says; nothing unless given. */
  says?: string;
}[];

export interface Dial {
  to: string;
  reference: string;
  /** Workflow time. */
  at: number;
}

const TALKS_A_MINUTE: PhoneScript[number] = { endReason: 'agent', talkMs: 60_000 };

/** A carrier whose calls last as long as workflow time says. */
export class FakeCarrier implements Telephony {
  readonly dials: Dial[] = [];
  /** Carrier ids. */
  readonly hungUp: string[] = [];
  /** Most calls that it ever had at once. */
  peakLive = 0;
  /** Requests that it took, placed or not. */
  asked = 0;
  /** Called while it takes a call up, before its answer: the place for a signal in mid-dial. */
  onDial: (dial: Dial) => Promise<void> = () => Promise.resolve();
  /** What it answers instead of placing a call. */
  answerDial: (() => DialAnswer | Promise<DialAnswer>) | null = null;
  /** Told of a call that was hung up while it was live, as an event would. */
  onHungUp: (call: CarrierCall) => Promise<void> = () => Promise.resolve();
  private readonly scripts = new Map<string, PhoneScript>();
  private readonly calls = new Map<string, CarrierCall>();

  constructor(
    readonly now: () => Promise<number>,
    private readonly ring: (call: PhoneCall) => Promise<void>,
  ) {}

  script(to: string, script: PhoneScript): void {
    this.scripts.set(to, script);
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
    const course = script[Math.min(before, script.length - 1)] ?? TALKS_A_MINUTE;
    this.calls.set(carrierId, { ...liveCall(carrierId, reference), transcript: spoken(course.says) });
    const live = [...this.calls.values()].filter(({ state }) => state !== 'ended').length;
    this.peakLive = Math.max(this.peakLive, live);
    await this.talk(carrierId, reference, course);
    return { kind: 'placed', carrierId };
  }

  async find(reference: string): Promise<LookUp> {
    const calls = [...this.calls.values()].filter((call) => call.reference === reference);
    return { calls, carrierTime: await this.now() };
  }

  async hangUp(carrierId: string): Promise<'ending' | 'over'> {
    this.hungUp.push(carrierId);
    const call = this.calls.get(carrierId);
    if (call === undefined || call.state === 'ended') return 'over';
    this.end(carrierId, { endReason: 'platform', endedAt: await this.now() });
    await this.onHungUp(this.calls.get(carrierId) ?? call);
    return 'ending';
  }

  /** What a later look-up answers. */
  end(carrierId: string, told: { endReason: CarrierEndReason; endedAt: number; answeredAt?: number }): void {
    const call = this.calls.get(carrierId);
    if (call === undefined) return;
    this.calls.set(carrierId, {
      ...call,
      state: 'ended',
      endReason: told.endReason,
      endedAt: new Date(told.endedAt).toISOString(),
      answeredAt: told.answeredAt === undefined ? null : new Date(told.answeredAt).toISOString(),
    });
  }

  private async talk(carrierId: string, reference: string, course: PhoneScript[number]): Promise<void> {
    const { endReason, talkMs } = course;
    if (endReason === 'lost') this.calls.delete(carrierId);
    else if (endReason === 'rings') this.calls.set(carrierId, ringingCall(carrierId, reference));
    else if (endReason === 'never_told') {
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
  return {
    carrierId,
    reference,
    state: 'answered',
    endReason: null,
    answeredBy: 'human',
    dialingAt: null,
    ringingAt: null,
    answeredAt: null,
    endedAt: null,
    transcript: [],
  };
}
