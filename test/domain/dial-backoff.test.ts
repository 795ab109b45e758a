import { DIAL_GIVE_UP_MS, dialBackoffMs } from '../../domain/dial-backoff';

test('the waits double from a second up to fifteen', () => {
  const waits = [1, 2, 3, 4, 5, 6, 100].map((asked) => dialBackoffMs(asked, null));
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
});

test.each([
  ['longer than ours, counts', 1, 3_000, 3_000],
  ['shorter than ours, does not', 3, 1_000, 4_000],
  ['beyond the longest wait, is cut', 1, 3_600_000, 15_000],
  ['of nothing, changes nothing', 1, 0, 1_000],
  ['that is negative, changes nothing', 1, -5_000, 1_000],
  ['that never ends, is cut', 1, Infinity, 15_000],
])("the carrier's wish, %s", (_which, asked, wish, expected) => {
  expect(dialBackoffMs(asked, wish)).toBe(expected);
});

test('a minute holds at least five requests', () => {
  let waited = 0;
  let asked = 0;
  while (waited < DIAL_GIVE_UP_MS) waited += dialBackoffMs(++asked, null);
  expect(asked).toBeGreaterThanOrEqual(5);
});
