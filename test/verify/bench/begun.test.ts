import { begunASecond } from '../../../verify/bench/begun';
import { busiestFirst } from '../../../verify/bench/thread-time';

test('calls begun a second are those between the first and the last tenth', () => {
  const steady = Array.from({ length: 101 }, (_, nth) => nth * 100);
  // A slow start and a slow end.
  const slow = steady.map((atMs, nth) => (nth < 10 ? atMs - 5_000 : nth > 90 ? atMs + 5_000 : atMs));
  expect(begunASecond(slow)).toBeCloseTo(10);
});

test('the busiest thread comes first, and one that has ended is not counted', () => {
  const before = new Map([
    [1, 1000],
    [2, 0],
    [3, 50],
  ]);
  const after = new Map([
    [1, 1010],
    [2, 700],
    [4, 30],
  ]);
  expect(busiestFirst(before, after)).toEqual([700, 30, 10]);
});
