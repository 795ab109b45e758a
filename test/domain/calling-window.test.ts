import {
  minuteOfDay,
  timeOfDay,
  windowPhase,
  type CallingSchedule,
  type WindowPhase,
} from '../../domain/calling-window';

/** Monday 2 to Friday 13 November 2026, 04:00 to 10:30 UTC, on Mondays, Tuesdays and Fridays. */
const schedule: CallingSchedule = {
  fromDate: '2026-11-02',
  toDate: '2026-11-13',
  startMinute: 4 * 60,
  endMinute: 10 * 60 + 30,
  daysOfWeek: ['monday', 'tuesday', 'friday'],
};

const at = (text: string): number => Date.parse(text);
const phaseAt = (text: string, changes: Partial<CallingSchedule> = {}): WindowPhase =>
  windowPhase({ ...schedule, ...changes }, at(text));
const open = (closes: string): WindowPhase => ({ phase: 'open', closesAt: at(closes) });
const closed = (opens: string): WindowPhase => ({ phase: 'closed', opensAt: at(opens) });
const ahead = (opens: string): WindowPhase => ({ phase: 'ahead', opensAt: at(opens) });
const OVER: WindowPhase = { phase: 'over' };

describe('the daily window', () => {
  test.each<[string, string, WindowPhase]>([
    ['one millisecond before it', '2026-11-03T03:59:59.999Z', closed('2026-11-03T04:00:00Z')],
    ['at its first instant', '2026-11-03T04:00:00.000Z', open('2026-11-03T10:30:00Z')],
    ['in its last second', '2026-11-03T10:29:59.000Z', open('2026-11-03T10:30:00Z')],
    ['in its last millisecond', '2026-11-03T10:29:59.999Z', open('2026-11-03T10:30:00Z')],
    ['at its end', '2026-11-03T10:30:00.000Z', closed('2026-11-06T04:00:00Z')],
  ])('returns the right phase %s', (_when, instant, phase) => {
    expect(phaseAt(instant)).toEqual(phase);
  });

  test('ends with the day at 24:00, and begins the next window immediately', () => {
    const allDay = { startMinute: 0, endMinute: 24 * 60, daysOfWeek: ['monday', 'tuesday'] as const };
    expect(phaseAt('2026-11-02T23:59:59.999Z', allDay)).toEqual(open('2026-11-03T00:00:00Z'));
    expect(phaseAt('2026-11-03T00:00:00.000Z', allDay)).toEqual(open('2026-11-04T00:00:00Z'));
    expect(phaseAt('2026-11-04T00:00:00.000Z', allDay)).toEqual(closed('2026-11-09T00:00:00Z'));
  });

  test('opens a window of one minute for exactly that minute', () => {
    const minute = { startMinute: 300, endMinute: 301 };
    expect(phaseAt('2026-11-03T05:00:59.999Z', minute)).toEqual(open('2026-11-03T05:01:00Z'));
    expect(phaseAt('2026-11-03T05:01:00.000Z', minute)).toEqual(closed('2026-11-06T05:00:00Z'));
  });
});

describe('the weekdays of a campaign', () => {
  test('skips a day that is not chosen', () => {
    expect(phaseAt('2026-11-04T06:00:00Z')).toEqual(closed('2026-11-06T04:00:00Z'));
    expect(phaseAt('2026-11-07T06:00:00Z')).toEqual(closed('2026-11-09T04:00:00Z'));
  });

  test('repeats a single day after seven days', () => {
    expect(phaseAt('2026-11-02T10:30:00Z', { daysOfWeek: ['monday'] })).toEqual(
      closed('2026-11-09T04:00:00Z'),
    );
  });

  test.each([
    ['sunday', '2026-11-08'],
    ['monday', '2026-11-02'],
    ['tuesday', '2026-11-03'],
    ['wednesday', '2026-11-04'],
    ['thursday', '2026-11-05'],
    ['friday', '2026-11-06'],
    ['saturday', '2026-11-07'],
  ] as const)('determines %s by the UTC calendar', (weekday, date) => {
    expect(phaseAt(`${date}T05:00:00Z`, { daysOfWeek: [weekday] })).toEqual(open(`${date}T10:30:00Z`));
  });

  test('opens no window if no weekday is chosen', () => {
    expect(phaseAt('2026-11-02T05:00:00Z', { daysOfWeek: [] })).toEqual(OVER);
  });
});

describe('the date range of a campaign', () => {
  test('returns ahead before the first day begins, with the first opening', () => {
    expect(phaseAt('2026-10-01T05:00:00Z')).toEqual(ahead('2026-11-02T04:00:00Z'));
    expect(phaseAt('2026-11-01T23:59:59.999Z')).toEqual(ahead('2026-11-02T04:00:00Z'));
    expect(phaseAt('2026-11-02T00:00:00.000Z')).toEqual(closed('2026-11-02T04:00:00Z'));
  });

  test('skips a first day that is not chosen', () => {
    expect(phaseAt('2026-10-01T05:00:00Z', { daysOfWeek: ['sunday'] })).toEqual(
      ahead('2026-11-08T04:00:00Z'),
    );
  });

  test('returns over at the end of the last window', () => {
    expect(phaseAt('2026-11-13T10:29:59.999Z')).toEqual(open('2026-11-13T10:30:00Z'));
    expect(phaseAt('2026-11-13T10:30:00.000Z')).toEqual(OVER);
    expect(phaseAt('2027-11-13T05:00:00.000Z')).toEqual(OVER);
  });

  test('returns over early when none of the chosen weekdays is left', () => {
    expect(phaseAt('2026-11-10T10:30:00Z', { daysOfWeek: ['monday', 'tuesday'] })).toEqual(OVER);
  });

  test('returns over before the range begins if it contains none of the chosen weekdays', () => {
    const noSunday = { toDate: '2026-11-06', daysOfWeek: ['sunday'] as const };
    expect(phaseAt('2026-10-01T05:00:00Z', noSunday)).toEqual(OVER);
    expect(phaseAt('2026-11-03T05:00:00Z', noSunday)).toEqual(OVER);
  });

  test('opens one window in a range of one day', () => {
    const one = { toDate: '2026-11-02' };
    expect(phaseAt('2026-11-02T04:00:00Z', one)).toEqual(open('2026-11-02T10:30:00Z'));
    expect(phaseAt('2026-11-02T10:30:00Z', one)).toEqual(OVER);
  });

  test('allows a range across the end of a year or a leap day', () => {
    const long = { fromDate: '2027-12-27', toDate: '2028-03-03', daysOfWeek: ['tuesday'] as const };
    expect(phaseAt('2027-12-28T11:00:00Z', long)).toEqual(closed('2028-01-04T04:00:00Z'));
    expect(phaseAt('2028-02-29T04:00:00Z', long)).toEqual(open('2028-02-29T10:30:00Z'));
  });
});

test('agrees with an independent calculation for every quarter hour of two weeks', () => {
  const weekdays = [1, 2, 5];
  for (let now = at('2026-11-01T00:00:00Z'); now < at('2026-11-15T00:00:00Z'); now += 15 * 60_000) {
    const date = new Date(now);
    const clock = date.toISOString().slice(11, 16);
    const day = date.toISOString().slice(0, 10);
    const mayDial =
      weekdays.includes(date.getUTCDay()) &&
      clock >= '04:00' &&
      clock < '10:30' &&
      day >= '2026-11-02' &&
      day <= '2026-11-13';
    expect([date.toISOString(), windowPhase(schedule, now).phase === 'open']).toEqual([
      date.toISOString(),
      mayDial,
    ]);
  }
});

describe('minuteOfDay()', () => {
  test.each([
    ['00:00', 0],
    ['02:30', 150],
    ['23:59', 1439],
    ['24:00', 1440],
  ])('reads %s as minute %d and formats the minute identically', (text, minute) => {
    expect(minuteOfDay(text)).toBe(minute);
    expect(timeOfDay(minute)).toBe(text);
  });

  test.each(['24:01', '25:00', '12:60', '2:30', '02:30:00', ' 02:30', '0230', ''])('rejects %p', (text) => {
    expect(minuteOfDay(text)).toBeNull();
  });
});
