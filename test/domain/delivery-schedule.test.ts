import { DELIVERY_DELAYS_MS, delayAfterAttempt } from '../../domain/delivery';

test('allows five delivery attempts, the first without delay', () => {
  expect(DELIVERY_DELAYS_MS).toHaveLength(5);
  expect(DELIVERY_DELAYS_MS[0]).toBe(0);
});

test.each([
  [1, 5_000],
  [2, 25_000],
  [3, 125_000],
  [4, 625_000],
  [5, null],
  [6, null],
])('returns the right delay after attempt %d', (attempt, delayMs) => {
  expect(delayAfterAttempt(attempt)).toBe(delayMs);
});
