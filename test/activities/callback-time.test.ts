import { ORDINARY_TYPES } from '../../domain/phone-number';
import { requestedCallback } from '../../activities/ending/callbacks';
import { callbackDelayMs, delayUntil } from '../../domain/analysis/callback';
import { dailyWindowAt } from '../../domain/calling-window';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

describe('callbackDelayMs()', () => {
  test.each([
    ['Call me back in a minute', MINUTE_MS],
    ['Call me in 10 minutes', 10 * MINUTE_MS],
    ['call me back in 45 mins, please', 45 * MINUTE_MS],
    ['Call me back in a couple of minutes', 2 * MINUTE_MS],
    ['Please call back in a few minutes', 5 * MINUTE_MS],
    ['Call me back in fifteen minutes', 15 * MINUTE_MS],
    ['Call me back in twenty five minutes', 25 * MINUTE_MS],
    ['Call me in forty-five minutes', 45 * MINUTE_MS],
    ['Call me after half an hour', HOUR_MS / 2],
    ['Call me back in an hour', HOUR_MS],
    ['Call me back after two hours', 2 * HOUR_MS],
    ['Call me back in six hours', 6 * HOUR_MS],
    ['CALL ME BACK IN 3 HRS', 3 * HOUR_MS],
    ['Call me back in one day', DAY_MS],
    ['Call me tomorrow', DAY_MS],
    ['Call me back the day after tomorrow', 2 * DAY_MS],
    ['Call me back in two days', 2 * DAY_MS],
    ['Call me back in a week', 7 * DAY_MS],
    ['Call me back next week', 7 * DAY_MS],
    ['Do ghante baad mein call karo', 2 * HOUR_MS],
    ['Aadhe ghante baad mein call kijiye', HOUR_MS / 2],
    ['Pandrah minute baad call karo', 15 * MINUTE_MS],
    ['Kal call karo', DAY_MS],
  ])('reads the delay from "%s"', (said, delayMs) => {
    expect(callbackDelayMs(said)).toBe(delayMs);
  });

  test.each(['Call me back later', 'Thodi der mein call karo', 'Call me back when I am home', ''])(
    'returns null for "%s"',
    (said) => {
      expect(callbackDelayMs(said)).toBeNull();
    },
  );

  test.each([
    ['a minute if the person asks for less', 'Call me in 5 seconds', MINUTE_MS],
    ['a minute if the person asks for zero', 'Call me in 0 minutes', MINUTE_MS],
    ['a week if the person asks for more', 'Call me in 30 days', 7 * DAY_MS],
    ['a week if the person asks for many weeks', 'Call me in 999 weeks', 7 * DAY_MS],
  ])("sets the callback's delay to %s", (_fact, said, delayMs) => {
    expect(callbackDelayMs(said)).toBe(delayMs);
  });

  test.each([
    ['part of a word', 'Call me back in the hourglass shop'],
    ['a unit without a count', 'Call me back within the hour'],
    ['a count without a unit', 'Call me back, I have two'],
  ])('finds no delay in %s', (_what, said) => {
    expect(callbackDelayMs(said)).toBeNull();
  });
});

/** The legal calling window, 02:30 to 14:29 UTC. */
const LEGAL = { startMinute: 150, endMinute: 869 };
const at = (text: string): number => Date.parse(`2026-11-${text}Z`);

describe('dailyWindowAt()', () => {
  test.each([
    ['at midnight', '02T00:00:00.000', '02'],
    ['a millisecond before it opens', '02T02:29:59.999', '02'],
    ['when it opens', '02T02:30:00.000', '02'],
    ['in its last millisecond', '02T14:28:59.999', '02'],
    ['when it closes', '02T14:29:00.000', '03'],
    ['in the last millisecond of the day', '02T23:59:59.999', '03'],
    ['in the last millisecond of the month', '30T23:59:59.999', '31'],
  ])('finds the current or next window %s', (_when, instant, day) => {
    const opensAt = day === '31' ? Date.parse('2026-12-01T02:30:00Z') : at(`${day}T02:30:00`);
    expect(dailyWindowAt(LEGAL, at(instant))).toEqual({ opensAt, closesAt: opensAt + 719 * MINUTE_MS });
  });

  test('ends a whole-day window when the next one begins', () => {
    const allDay = { startMinute: 0, endMinute: 1440 };
    expect(dailyWindowAt(allDay, at('02T23:59:59.999'))).toEqual({
      opensAt: at('02T00:00:00'),
      closesAt: at('03T00:00:00'),
    });
    expect(dailyWindowAt(allDay, at('03T00:00:00')).opensAt).toBe(at('03T00:00:00'));
  });

  test('returns a window that ends within a day, for every minute of two days', () => {
    for (let now = at('02T00:00:00'); now < at('04T00:00:00'); now += MINUTE_MS) {
      const { opensAt, closesAt } = dailyWindowAt(LEGAL, now);
      expect([closesAt > now, closesAt <= now + DAY_MS, (opensAt / MINUTE_MS) % 1440]).toEqual([
        true,
        true,
        150,
      ]);
    }
  });
});

describe('requestedCallback()', () => {
  const deps = {
    settings: {
      callbacks: {
        maxPerDay: 3,
        hashKeys: [Buffer.alloc(32)],
        defaultDelayMs: HOUR_MS,
        window: LEGAL,
        allowedCountries: ['IN'],
        allowedNumberTypes: [...ORDINARY_TYPES],
      },
    },
  } as any;
  const user = (text: string) => ({ speaker: 'user' as const, text, startMs: 0, endMs: 1 });
  const made = (
    call: Partial<Parameters<typeof requestedCallback>[1]>,
    segments: Parameters<typeof requestedCallback>[2],
    now = at('02T05:00:00'),
  ) =>
    requestedCallback(
      deps,
      {
        organizationId: 'client-1',
        campaignId: null,
        direction: 'Outbound',
        fromNumber: null,
        toNumber: '+919812345600',
        ...call,
      },
      segments,
      { now, at: null },
    );
  const callback = (campaignId: string | null, now: number, ...texts: string[]) => {
    const request = made({ campaignId }, texts.map(user), now);
    if (request === null) throw new Error('there is no callback');
    return request;
  };

  test('schedules the callback of a dispatched call in the legal window, and expires it when the window ends', () => {
    expect(callback(null, at('02T05:00:00'), 'Call me back in two hours')).toMatchObject({
      dueAt: at('02T07:00:00'),
      dialUntil: at('02T14:29:00'),
    });
    expect(callback(null, at('02T14:00:00'), 'Call me back in two hours')).toMatchObject({
      dueAt: at('03T02:30:00'),
      dialUntil: at('03T14:29:00'),
    });
    expect(callback(null, at('02T14:28:00'), 'Call me back in a minute').dueAt).toBe(at('03T02:30:00'));
  });

  test('schedules the callback of a campaign at the requested time, because a campaign has its own window', () => {
    expect(callback('campaign', at('02T14:00:00'), 'Call me back in two hours').dueAt).toBe(
      at('02T16:00:00'),
    );
  });

  test('uses the configured delay if the person named no time', () => {
    expect(callback(null, at('02T05:00:00'), 'Call me back later').dueAt).toBe(at('02T06:00:00'));
    expect(callback(null, at('02T05:00:00')).dueAt).toBe(at('02T06:00:00'));
  });

  test('uses the last time that the person named, and ignores what the agent says', () => {
    const said = ['Call me back tomorrow', 'No, call me back in an hour', 'I have ten minutes now'];
    expect(callback(null, at('02T05:00:00'), ...said).dueAt).toBe(at('02T06:00:00'));
    const agent = { speaker: 'agent' as const, text: 'Call me back in two hours', startMs: 0, endMs: 1 };
    expect(made({}, [agent])?.dueAt).toBe(at('02T06:00:00'));
  });

  test.each([
    ['+919876543210', '+919876543210'],
    ['09876543210', '+919876543210'],
  ])("calls an inbound caller back at the caller's own number: %s", (fromNumber, toNumber) => {
    expect(made({ direction: 'Incoming', fromNumber }, [user('Call me back')])).toMatchObject({ toNumber });
  });

  test.each([null, '', 'anonymous', '123', '+4930123456', '+18765551234'])(
    'returns no callback for a caller whose number must not be dialled: %s',
    (fromNumber) => {
      expect(made({ direction: 'Incoming', fromNumber }, [user('Call me back')])).toBeNull();
    },
  );

  test('creates a new callback id and a new call id each time', () => {
    const [one, other] = [callback(null, at('02T05:00:00')), callback(null, at('02T05:00:00'))];
    expect(one.id).not.toBe(other.id);
    expect(one.callId).not.toBe(other.callId);
  });
});

describe('delayUntil()', () => {
  const now = Date.parse('2026-11-02T05:00:00Z');
  const [MINUTE, DAY] = [60_000, 86_400_000];

  test.each([
    ['the delay to an instant in two hours', 120 * MINUTE, 120 * MINUTE],
    ['a minute for an instant in a second', 1_000, MINUTE],
    ['a week for an instant in a month', 30 * DAY, 7 * DAY],
    ['null for an instant in the past', -MINUTE, null],
    ['null for this moment', 0, null],
  ])('returns %s', (_what, ahead, delayMs) => {
    expect(delayUntil(now + ahead, now)).toBe(delayMs);
  });

  test('returns null if no instant is passed', () => {
    expect(delayUntil(null, now)).toBeNull();
  });
});
