import { DIAL_GIVE_UP_MS, dialBackoffMs } from '../../domain/dial-backoff';

test('doubles the delay from one second up to fifteen', () => {
  const waits = [1, 2, 3, 4, 5, 6, 100].map((asked) => dialBackoffMs(asked, null));
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
});

test.each([
  ['is used if longer than ours', 1, 3_000, 3_000],
  ['is ignored if shorter than ours', 3, 1_000, 4_000],
  ['is cut to the longest wait', 1, 3_600_000, 15_000],
  ['is ignored if zero', 1, 0, 1_000],
  ['is ignored if negative', 1, -5_000, 1_000],
  ['is cut if infinite', 1, Infinity, 15_000],
])("applies the carrier's Retry-After, which %s", (_which, asked, wish, expected) => {
  expect(dialBackoffMs(asked, wish)).toBe(expected);
});

test('allows at least five requests per minute', () => {
  let waited = 0;
  let asked = 0;
  while (waited < DIAL_GIVE_UP_MS) waited += dialBackoffMs(++asked, null);
  expect(asked).toBeGreaterThanOrEqual(5);
});
