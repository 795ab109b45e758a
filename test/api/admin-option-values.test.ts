import * as values from '../../api/admin/option-values';

const NOW = Date.parse('2026-11-02T05:00:00Z');
const HOUR_MS = 3_600_000;

test.each([
  ['30s', HOUR_MS / 120],
  ['90m', 1.5 * HOUR_MS],
  ['24h', 24 * HOUR_MS],
  ['7d', 7 * 24 * HOUR_MS],
  ['2w', 14 * 24 * HOUR_MS],
  ['0', 0],
])('reads %s as a duration', (text, ms) => {
  expect(values.duration(text)).toBe(ms);
});

test.each(['', '7', 'd', '-1d', '1.5h', '7 d', '1D', '4000d', '9999999h', 'week'])(
  'rejects %j as a duration',
  (text) => {
    expect(() => values.duration(text)).toThrow('must be a duration such as 90m, 24h, 7d or 2w');
  },
);

test.each([
  ['2026-12-31', '2026-12-31T00:00:00.000Z'],
  ['2026-12-31T18:00Z', '2026-12-31T18:00:00.000Z'],
  ['2026-12-31T18:00:00.5Z', '2026-12-31T18:00:00.500Z'],
  ['2026-12-31T18:00:00+05:30', '2026-12-31T12:30:00.000Z'],
  ['2028-02-29', '2028-02-29T00:00:00.000Z'],
])('reads %s as an instant', (text, iso) => {
  expect(new Date(values.instant(text)).toISOString()).toBe(iso);
});

test.each([
  '2026-02-29',
  '2026-02-30T00:00Z',
  '2026-13-01',
  '2026-12-31T18:00',
  '2026-12-31T25:00Z',
  '31.12.2026',
  '',
])("rejects %j as an instant, because it doesn't exist or lacks a known time zone", (text) => {
  expect(() => values.instant(text)).toThrow('must be a date or timestamp in UTC');
});

test('reads a moment as a duration from now, in either direction, or as an instant', () => {
  expect(values.momentAhead(values.moment('24h'), NOW)).toBe(NOW + 24 * HOUR_MS);
  expect(values.momentBehind(values.moment('24h'), NOW)).toBe(NOW - 24 * HOUR_MS);
  for (const at of [values.momentAhead, values.momentBehind]) {
    expect(at(values.moment('2026-11-02'), NOW)).toBe(Date.parse('2026-11-02T00:00:00Z'));
  }
});

test.each(['0', '7', '1000', ' 5', '5.0', '1e2', '0x5', '-5', ''])(
  'rejects %j as a whole number from 8 to 999',
  (text) => {
    expect(() => values.wholeNumber(8, 999)(text)).toThrow('must be an integer between 8 and 999');
  },
);

test.each(['', '  ', 'x'.repeat(201), 'a\0b'])('rejects %j as a label', (text) => {
  expect(() => values.label(text)).toThrow('must');
});
