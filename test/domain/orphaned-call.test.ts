/** Tests calls whose phone can't be hung up: how long they keep their line, and how they end. */
import { lineKeptUntil, lostBeforeTimeout, orphanedEnd, type OrphanedCall } from '../../domain/orphaned-call';

const AT = Date.parse('2026-11-02T05:00:00.000Z');
const seconds = (count: number): Date => new Date(AT + count * 1_000);
const LIMITS = { ringTimeoutMs: 30_000, maxTalkMs: 600_000 };

const RINGING: OrphanedCall = {
  medium: 'telephony',
  direction: 'Outbound',
  requestedAt: seconds(0),
  dialingAt: seconds(2),
  answeredAt: null,
  answeredBy: null,
  isHangUpRequested: false,
  orphanedBy: 'bridge',
};
const UNSEEN: OrphanedCall = { ...RINGING, orphanedBy: 'livekit' };
const TALKING: OrphanedCall = { ...RINGING, answeredAt: seconds(10), answeredBy: 'human' };

/** In seconds after the request for the call. */
const keptFor = (call: OrphanedCall, since: number, now: number): number =>
  (lineKeptUntil(call, { since: AT + since * 1_000, now: AT + now * 1_000 }, LIMITS) - AT) / 1_000;

describe('the line of a call whose phone was lost', () => {
  test.each<[string, OrphanedCall, number, number, number]>([
    ['until the ring timeout would have been reported, if it rang', RINGING, 3, 5, 42],
    [
      'counted from the latest possible INVITE, if its leg was never seen',
      { ...RINGING, dialingAt: null },
      3,
      5,
      50,
    ],
    ['until its bridge gives up reconnecting, if it rang when LiveKit became unreachable', UNSEEN, 3, 5, 68],
    ['for two look-ups, if its ring timeout has passed', RINGING, 25, 45, 55],
    ['for two minutes of silence, if it talked', TALKING, 60, 80, 180],
    ['for the rest of the longest talk, if that is less', TALKING, 550, 570, 610],
    ['for two look-ups, if its longest talk is over', TALKING, 600, 620, 630],
    ['for two look-ups, if it is an unanswered caller', { ...RINGING, direction: 'Incoming' }, 3, 5, 15],
    ['for two minutes too, if it is a caller who talked', { ...TALKING, direction: 'Incoming' }, 60, 80, 180],
    ['for two look-ups, if it is a browser', { ...TALKING, medium: 'webrtc' }, 60, 80, 90],
  ])('keeps the line %s', (_what, call, since, now, until) => {
    expect(keptFor(call, since, now)).toBe(until);
  });
});

test('dates a loss 20 s earlier if LiveKit reports it as a timeout', () => {
  expect(lostBeforeTimeout(AT)).toBe(AT - 20_000);
});

describe('the end of a call whose phone was lost', () => {
  const end = (call: OrphanedCall, isAnswered: boolean | null = null) =>
    orphanedEnd(call, { since: AT + 60_000, now: AT + 90_000, isAnswered });

  test("ends a conversation at the moment of the loss, so that the silence isn't charged", () => {
    expect(end(TALKING)).toEqual({
      endReason: 'dropped',
      answeredAt: seconds(10).toISOString(),
      answeredBy: 'human',
      endedAt: seconds(60).toISOString(),
    });
  });

  test('ends an unanswered call as a carrier failure, which allows a redial', () => {
    expect(end(RINGING)).toEqual({ endReason: 'carrier_failure', endedAt: seconds(90).toISOString() });
    expect(end(RINGING, false)).toMatchObject({ endReason: 'carrier_failure' });
  });

  test('ends a call with zero talk time if LiveKit missed its answer, which prevents a redial', () => {
    expect(end(RINGING, true)).toEqual({
      endReason: 'dropped',
      answeredAt: seconds(60).toISOString(),
      answeredBy: 'unknown',
      endedAt: seconds(60).toISOString(),
    });
  });

  test('ends a call as lost if the phone rang when LiveKit became unreachable and no later report arrived', () => {
    expect(end(UNSEEN)).toEqual({ endReason: 'lost', endedAt: seconds(90).toISOString() });
    expect(end(UNSEEN, false)).toMatchObject({ endReason: 'carrier_failure' });
    expect(end(UNSEEN, true)).toMatchObject({ endReason: 'dropped' });
    expect(end({ ...UNSEEN, isHangUpRequested: true })).toMatchObject({ endReason: 'platform' });
    expect(end({ ...UNSEEN, direction: 'Incoming' })).toMatchObject({ endReason: 'carrier_failure' });
  });

  test('ends an unanswered inbound call as a carrier failure, even though its bridge has headers from the start', () => {
    expect(end({ ...RINGING, direction: 'Incoming' }, true)).toMatchObject({ endReason: 'carrier_failure' });
  });

  test('ends the call with the reason `platform` if a person hung up', () => {
    expect(end({ ...TALKING, isHangUpRequested: true })).toMatchObject({
      endReason: 'platform',
      answeredBy: 'human',
    });
    expect(end({ ...RINGING, isHangUpRequested: true })).toMatchObject({ endReason: 'platform' });
  });

  test('returns an end at the time of the answer if the loss precedes the reported answer', () => {
    const answeredLate = { ...TALKING, answeredAt: seconds(70) };
    expect(end(answeredLate)).toMatchObject({ endedAt: seconds(70).toISOString() });
  });
});
