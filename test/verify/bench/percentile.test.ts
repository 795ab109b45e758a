import { median, percentile } from '../../../verify/bench/percentile';

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('a percentile is a value that was measured, not one in between', () => {
  expect(median([10, 40])).toBe(10);
  expect(percentile(upTo(100), 0.99)).toBe(99);
});

test('of few values the 99th percentile is the greatest', () => {
  expect(percentile(upTo(50), 0.99)).toBe(50);
});

test('the order of the values does not matter, and they are left as they are', () => {
  const values = [100, 9, 20];
  expect(median(values)).toBe(20);
  expect(values).toEqual([100, 9, 20]);
});

test('nothing measured has no percentile', () => {
  expect(median([])).toBeNaN();
});
