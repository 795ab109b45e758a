import { instantOf, isTimeZone, localText, timeZoneOf } from '../../domain/local-time';

const NEW_YORK = 'America/New_York';

test.each([
  ['a summer evening', '2026-07-01T17:00', NEW_YORK, '2026-07-01T21:00:00.000Z'],
  ['a winter evening', '2026-12-01T17:00', NEW_YORK, '2026-12-01T22:00:00.000Z'],
  ['the skipped hour', '2026-03-08T02:30', NEW_YORK, '2026-03-08T07:30:00.000Z'],
  ['the skipped hour of Europe', '2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['the first of two hours', '2026-11-01T01:30', NEW_YORK, '2026-11-01T05:30:00.000Z'],
  ['the hour after the change', '2026-03-08T03:30', NEW_YORK, '2026-03-08T07:30:00.000Z'],
  ['seconds', '2026-11-03 17:00:30', 'Asia/Kolkata', '2026-11-03T11:30:30.000Z'],
  ['an explicit offset', '2026-11-03T17:00:00+0530', NEW_YORK, '2026-11-03T11:30:00.000Z'],
  ['microseconds of UTC', '2026-11-03T11:30:00.123456z', NEW_YORK, '2026-11-03T11:30:00.123Z'],
  ['31 February', '2026-02-31T17:00', NEW_YORK, null],
  ['31 February of UTC', '2026-02-31T17:00Z', NEW_YORK, null],
  ['a thirteenth month', '2026-13-05T10:00', NEW_YORK, null],
  ['29 February of a common year', '2026-02-29T10:00', NEW_YORK, null],
  ['hour 24', '2026-11-03T24:00', NEW_YORK, null],
  ['a day', '2026-11-03', NEW_YORK, null],
  ['words', 'tomorrow at five', NEW_YORK, null],
])('converts %s: %s in %s', (_what, text, zone, iso) => {
  expect(instantOf(text, zone)?.toISOString() ?? null).toBe(iso);
});

test("formats the weekday, time and offset in a person's time zone", () => {
  const instant = Date.parse('2026-11-02T20:00:00Z');
  expect(localText(instant, 'Asia/Kolkata')).toBe('Tuesday, 2026-11-03T01:30+05:30');
  expect(localText(instant, NEW_YORK)).toBe('Monday, 2026-11-02T15:00-05:00');
});

test('uses the time zone in the variable, and reports an unknown one', () => {
  const onUnknown = jest.fn();
  const options = { fallback: 'Europe/Berlin', onUnknown };
  expect(timeZoneOf({ timezone: NEW_YORK }, options)).toBe(NEW_YORK);
  expect(timeZoneOf({}, options)).toBe('Europe/Berlin');
  expect(timeZoneOf({ timezone: 5 }, options)).toBe('Europe/Berlin');
  expect(onUnknown).not.toHaveBeenCalled();
  expect(timeZoneOf({ timezone: 'Mars/Olympus' }, options)).toBe('Europe/Berlin');
  expect(onUnknown).toHaveBeenCalledTimes(1);
});

test('accepts every IANA zone and no other abbreviation that Node knows', () => {
  const named = [
    'UTC',
    'EST',
    'MST',
    'HST',
    'CET',
    'EST5EDT',
    'GB',
    'Japan',
    'Asia/Calcutta',
    'Asia/Kolkata',
  ];
  expect([...Intl.supportedValuesOf('timeZone'), ...named].filter((name) => !isTimeZone(name))).toEqual([]);
  const others = [
    'BST',
    'IST',
    'AST',
    'SST',
    'ECT',
    'CST',
    'PST',
    'SystemV/PST8',
    '+05:30',
    'Mars/Olympus',
    '',
  ];
  expect(others.filter(isTimeZone)).toEqual([]);
});
