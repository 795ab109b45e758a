import { DisconnectReason } from '@livekit/rtc-node';
import { type FarEnd, rangOut, rejectedWith } from '../../../dev/sip-stand-in/sip-outcome';
import type { Leg } from '../../../dev/sip-stand-in/leg';
import { LiveCall, REJECTED_STAYS_MS, type LiveCallOptions } from '../../../dev/sip-stand-in/live-call';
import type { Clock } from '../../../dev/simulator/clock';
import type { Step } from '../../../dev/simulator/plan';

/** Clock that tests advance. */
class ManualClock implements Clock {
  private now = 0;
  private readonly timers = new Set<{ atMs: number; run: () => void }>();

  nowMs = (): number => this.now;

  after(delayMs: number, run: () => void): () => void {
    const timer = { atMs: this.now + delayMs, run };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  async goTo(ms: number): Promise<void> {
    this.now = ms;
    for (const timer of [...this.timers].filter(({ atMs }) => atMs <= ms)) {
      this.timers.delete(timer);
      timer.run();
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

class FakeLeg {
  readonly did: string[] = [];
  takeAway: (reason: DisconnectReason) => void = () => undefined;
  readonly gone = new Promise<DisconnectReason>((resolve) => (this.takeAway = resolve));
  readonly heard = new Promise<void>(() => undefined);
  readonly participantId = 'PA_1';
  readonly roomMetadata = '';

  status(status: string, more: object = {}): Promise<void> {
    this.did.push([status, ...Object.keys(more)].join(' '));
    return Promise.resolve();
  }

  talk(): void {
    this.did.push('talk');
  }

  leave(reason: DisconnectReason): Promise<void> {
    this.did.push(`leave ${DisconnectReason[reason]}`);
    return Promise.resolve();
  }
}

const RING_MS = 20_000;
const ended: Step = {
  type: 'ended',
  after_ms: RING_MS,
  end_reason: 'no_answer',
  sip_status: 480,
  answered_by: null,
};
const RINGS_OUT: Step[] = [{ type: 'dialing', after_ms: 0 }, { type: 'ringing', after_ms: 100 }, ended];
const ANSWERS: Step[] = [
  { type: 'dialing', after_ms: 0 },
  { type: 'answered', after_ms: 300, answered_by: 'human' },
  { ...ended, end_reason: 'agent' },
];

function begun(farEnd: FarEnd, steps: Step[], changes: Partial<LiveCallOptions> = {}) {
  const clock = new ManualClock();
  const leg = new FakeLeg();
  const states: string[] = [];
  const call = new LiveCall({
    facts: {
      carrierId: 'SCL_1',
      direction: 'outbound',
      roomName: 'r',
      identity: 'callee',
      to: '1',
      reference: 'r',
    },
    steps,
    clock,
    acceptedAtMs: 0,
    maxCallMs: 60_000,
    ringTimeoutMs: RING_MS,
    givesUpAfterMs: 1_000,
    farEnd,
    unanswered: rangOut,
    placed: () => undefined,
    record: (_call, { state, endReason }) =>
      states.push(endReason === null ? state : `${state}: ${endReason}`),
    ...changes,
  });
  call.begin(leg as unknown as Leg);
  return { call, clock, leg, states };
}

test('hangs up on a callee whose 200 crosses the CANCEL, and reports the call as cancelled', async () => {
  const { call, clock, leg, states } = begun('crossing_cancel', RINGS_OUT);
  await clock.goTo(100);
  await clock.goTo(RING_MS);
  expect(states).toEqual(['dialing', 'ringing', 'answered', 'ended: platform']);
  expect((await call.outcome)?.error).toMatchObject({ code: 'canceled', message: 'sip request timed out' });
  expect(leg.did).toEqual(['ringing', 'leave USER_UNAVAILABLE']);
});

test.each([
  {
    what: 'the ring time ends',
    cancel: ({ clock }: ReturnType<typeof begun>) => clock.goTo(RING_MS),
    error: { code: 'failed_precondition', message: 'context deadline exceeded' },
  },
  {
    what: 'the room is deleted',
    cancel: ({ leg }: ReturnType<typeof begun>) =>
      Promise.resolve(leg.takeAway(DisconnectReason.ROOM_DELETED)),
    error: { code: 'canceled', message: 'context canceled' },
  },
])(
  'hangs up on a callee who answers just when $what, and reports that the call was cut short',
  async ({ cancel, error }) => {
    const begins = begun('answered_too_late', RINGS_OUT);
    await begins.clock.goTo(100);
    await cancel(begins);
    expect((await begins.call.outcome)?.error).toMatchObject(error);
    expect(begins.states).toEqual(['dialing', 'ringing', 'answered', 'ended: platform']);
  },
);

test("adds the SIP dialog's attributes when the call is answered", async () => {
  const { clock, leg } = begun('usual', ANSWERS);
  await clock.goTo(300);
  expect(leg.did).toEqual(['active sip.callIDFull sip.callTag', 'talk']);
});

test('answers without audio for a silent phone', async () => {
  const { clock, leg, states } = begun('silent', ANSWERS);
  await clock.goTo(300);
  expect(states).toEqual(['dialing', 'answered']);
  expect(leg.did).not.toContain('talk');
});

test('keeps a rejected call in its room as long as the real bridge does', async () => {
  const steps: Step[] = [{ ...ended, after_ms: 0, end_reason: 'busy', sip_status: 486 }];
  const { clock, leg } = begun('usual', steps, { unanswered: () => rejectedWith('busy') });
  await clock.goTo(REJECTED_STAYS_MS - 1);
  expect(leg.did).toEqual([]);
  await clock.goTo(REJECTED_STAYS_MS);
  expect(leg.did).toEqual(['leave USER_REJECTED']);
});

test('reports a caller who gives up like a caller who hangs up', async () => {
  const facts = {
    carrierId: 'SCL_1',
    direction: 'inbound',
    roomName: 'r',
    identity: 'sip_1',
    to: '2',
    reference: null,
  } as const;
  const { clock, leg, states } = begun('gives_up', [], { facts });
  await clock.goTo(1_000);
  expect(leg.did).toEqual(['hangup', 'leave CLIENT_INITIATED']);
  expect(states).toEqual(['ringing', 'ended: no_answer']);
});
