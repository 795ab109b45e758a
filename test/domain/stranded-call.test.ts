/** Calls whose phone nobody can hang up: how long their line is kept, and how they end. */
import { lineKeptUntil, lostBeforeTimeout, strandedEnd, type StrandedCall } from '../../domain/stranded-call';

const AT = Date.parse('2026-11-02T05:00:00.000Z');
const seconds = (count: number): Date => new Date(AT + count * 1_000);
const LIMITS = { ringTimeoutMs: 30_000, maxTalkMs: 600_000 };

const RINGING: StrandedCall = {
  medium: 'telephony',
  direction: 'Outbound',
  askedAt: seconds(0),
  dialingAt: seconds(2),
  answeredAt: null,
  answeredBy: null,
  isHangUpAsked: false,
  strandedBy: 'bridge',
};
const UNSEEN: StrandedCall = { ...RINGING, strandedBy: 'livekit' };
const TALKING: StrandedCall = { ...RINGING, answeredAt: seconds(10), answeredBy: 'human' };

/** In seconds from the request for the call. */
const keptFor = (call: StrandedCall, since: number, now: number): number =>
  (lineKeptUntil(call, { since: AT + since * 1_000, now: AT + now * 1_000 }, LIMITS) - AT) / 1_000;

describe('the line of a call whose phone was lost', () => {
  test.each<[string, StrandedCall, number, number, number]>([
    ['that rang: until its end would have been reported after the time to ring', RINGING, 3, 5, 42],
    [
      'whose leg nobody saw: from when the INVITE was sent at the latest',
      { ...RINGING, dialingAt: null },
      3,
      5,
      50,
    ],
    ['that rang as LiveKit went away: until its bridge has given up coming back', UNSEEN, 3, 5, 68],
    ['that rang out meanwhile: until it was looked at twice', RINGING, 25, 45, 55],
    ['that talked: for two minutes of silence', TALKING, 60, 80, 180],
    ['that talked: for what was left of the longest talk, if that is less', TALKING, 550, 570, 610],
    ['whose talk is over by now: until it was looked at twice', TALKING, 600, 620, 630],
    [
      'of a caller who was not answered: until it was looked at twice',
      { ...RINGING, direction: 'Incoming' },
      3,
      5,
      15,
    ],
    ['of a caller who talked: as of anybody', { ...TALKING, direction: 'Incoming' }, 60, 80, 180],
    ['of a browser: until it was looked at twice', { ...TALKING, medium: 'webrtc' }, 60, 80, 90],
  ])('is kept %s', (_what, call, since, now, until) => {
    expect(keptFor(call, since, now)).toBe(until);
  });
});

test('a connection that LiveKit reports as timed out was lost twenty seconds before', () => {
  expect(lostBeforeTimeout(AT)).toBe(AT - 20_000);
});

describe('the end of a call whose phone was lost', () => {
  const end = (call: StrandedCall, isAnswered: boolean | null = null) =>
    strandedEnd(call, { since: AT + 60_000, now: AT + 90_000, isAnswered });

  test('in a talk is dated from the loss, so that nobody is charged for the silence', () => {
    expect(end(TALKING)).toEqual({
      endReason: 'dropped',
      answeredAt: seconds(10).toISOString(),
      answeredBy: 'human',
      endedAt: seconds(60).toISOString(),
    });
  });

  test('before the answer fails the dial, which may be made again from then on', () => {
    expect(end(RINGING)).toEqual({ endReason: 'carrier_failure', endedAt: seconds(90).toISOString() });
    expect(end(RINGING, false)).toMatchObject({ endReason: 'carrier_failure' });
  });

  test('of a phone that was answered while LiveKit was away is that of a talk of nothing: the person is not dialled again', () => {
    expect(end(RINGING, true)).toEqual({
      endReason: 'dropped',
      answeredAt: seconds(60).toISOString(),
      answeredBy: 'unknown',
      endedAt: seconds(60).toISOString(),
    });
  });

  test('of a phone that rang as LiveKit went away, and of which nobody says more, is unknown: the person may have been on the phone', () => {
    expect(end(UNSEEN)).toEqual({ endReason: 'lost', endedAt: seconds(90).toISOString() });
    expect(end(UNSEEN, false)).toMatchObject({ endReason: 'carrier_failure' });
    expect(end(UNSEEN, true)).toMatchObject({ endReason: 'dropped' });
    expect(end({ ...UNSEEN, isHangUpAsked: true })).toMatchObject({ endReason: 'platform' });
    expect(end({ ...UNSEEN, direction: 'Incoming' })).toMatchObject({ endReason: 'carrier_failure' });
  });

  test('of a caller is no talk although the bridge has headers of theirs from the start', () => {
    expect(end({ ...RINGING, direction: 'Incoming' }, true)).toMatchObject({ endReason: 'carrier_failure' });
  });

  test('is ours where a person hung up', () => {
    expect(end({ ...TALKING, isHangUpAsked: true })).toMatchObject({
      endReason: 'platform',
      answeredBy: 'human',
    });
    expect(end({ ...RINGING, isHangUpAsked: true })).toMatchObject({ endReason: 'platform' });
  });

  test('that was lost before its answer was reported lasted for nothing', () => {
    const answeredLate = { ...TALKING, answeredAt: seconds(70) };
    expect(end(answeredLate)).toMatchObject({ endedAt: seconds(70).toISOString() });
  });
});
