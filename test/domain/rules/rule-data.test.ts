import { WEEKDAYS } from '../../../domain/calling-window';
import { isTimeZone, offsetMs } from '../../../domain/local-time';
import holidays from '../../../domain/rules/holidays.json';
import { zonesOfAllNumbers, zonesOfNumber } from '../../../domain/rules/number-zones';
import { SHIPPED_PROFILES, shippedProfile } from '../../../domain/rules/profile';
import { spansOf } from '../../../domain/rules/zone-spans';

describe('shipped profiles', () => {
  test.each(SHIPPED_PROFILES)('have values of the right types, each with a source: %s', (name) => {
    const { title, ...fields } = jest.requireActual(`../../../domain/rules/profiles/${name}.json`);
    expect(title).toMatch(/\S/);
    for (const field of Object.values<any>(fields))
      expect(field).toEqual({
        value: field.value,
        source: expect.stringMatching(/^(https?:\/\/|docs\/rules\.md$)/),
        verified: false,
        note: expect.stringMatching(/\S/),
      });
    const { hours, ...rest } = shippedProfile(name);
    expect(rest).toEqual({
      holiday_dates: expect.any(Array),
      ambiguous_zone: expect.stringMatching(/^(strictest|skip)$/),
      max_per_day: null,
      max_per_7_days: name === 'us-reg-f' ? 7 : null,
      min_gap_minutes: expect.any(Number),
      consent: expect.stringMatching(/^(none|required)$/),
      disclosure: null,
      caller_id_prefixes: name === 'in-trai' ? ['+91140', '+91160'] : null,
    });
    for (const [day, intervals] of Object.entries(hours)) {
      expect(WEEKDAYS).toContain(day);
      for (const interval of intervals)
        expect(interval).toEqual([
          expect.stringMatching(/^\d\d:\d\d$/),
          expect.stringMatching(/^\d\d:\d\d$/),
        ]);
    }
  });

  test('observe the holidays of their country', () => {
    expect(shippedProfile('us-tcpa').holiday_dates).toContain('2026-07-03');
    expect(shippedProfile('uk-ofcom').holiday_dates).toContain('2027-12-28');
    expect(shippedProfile('in-trai').holiday_dates).toContain('2026-08-15');
    expect(shippedProfile('none').holiday_dates).toEqual([]);
  });
});

test.each(['US', 'IN', 'GB'] as const)('lists the holidays of 2025 to 2030 in order: %s', (country) => {
  const dates = Object.keys(holidays[country].dates);
  expect(dates).toEqual(dates.toSorted());
  for (const date of dates) expect(new Date(`${date}T00:00:00Z`).toISOString()).toContain(date);
  expect([...new Set(dates.map((date) => date.slice(0, 4)))]).toEqual([
    '2025',
    '2026',
    '2027',
    '2028',
    '2029',
    '2030',
  ]);
});

describe('zones of a number', () => {
  test.each([
    ['+14155550132', ['America/Los_Angeles']],
    ['+919876543210', ['Asia/Calcutta']],
    ['+442079460000', ['Europe/London']],
    ['+9108012345678', ['Asia/Calcutta']],
    ['+870773111632', []],
    ['+80012345678', []],
  ])('are those of the longest prefix: %s', (number, zones) => {
    expect(zonesOfNumber(number)).toEqual(zones);
  });

  test('are all zones of the country code if no longer prefix is known, whatever the type', () => {
    expect(zonesOfNumber('+18002530000').length).toBeGreaterThan(30);
  });

  test('are known to this version of Node', () => {
    expect(zonesOfAllNumbers().filter((zone) => !isTimeZone(zone))).toEqual([]);
  });
});

describe('spans of a zone', () => {
  const FROM = Date.parse('2026-06-01T00:00:00Z');
  const UNTIL = Date.parse('2027-06-01T00:00:00Z');

  test('change at the clock changes', () => {
    const spans = spansOf('Europe/London', FROM, UNTIL);
    expect(spans.map(({ from, offset }) => [new Date(from).toISOString(), offset / 3_600_000])).toEqual([
      ['2026-01-01T00:00:00.000Z', 0],
      ['2026-03-29T01:00:00.000Z', 1],
      ['2026-10-25T01:00:00.000Z', 0],
      ['2027-03-28T01:00:00.000Z', 1],
      ['2027-10-31T01:00:00.000Z', 0],
    ]);
    expect(spans.at(-1)?.until).toBe(Date.parse('2028-01-01T00:00:00Z'));
  });

  test('have the offset of every hour in all zones of numbers', () => {
    const faults: string[] = [];
    for (const [n, zone] of zonesOfAllNumbers().entries()) {
      const spans = spansOf(zone, FROM, UNTIL);
      // An hour that moves from zone to zone keeps the test short.
      for (let at = FROM + n * 3_600_000; at < UNTIL; at += 11 * 24 * 3_600_000) {
        const span = spans.find(({ from, until }) => from <= at && at < until);
        if (span?.offset !== offsetMs(at, zone)) faults.push(`${zone} ${new Date(at).toISOString()}`);
      }
    }
    expect(faults).toEqual([]);
  });
});
