import { spread } from '../../../verify/bench/measure-campaign';

const ids = Array.from({ length: 10 }, (_none, n) => String(n));

test.each([
  [2, ['0', '5']],
  [5, ['0', '2', '4', '6', '8']],
  [10, ids],
  [100, ids],
])('%d of ten lie as far from each other as can be', (count, expected) => {
  expect(spread(ids, count)).toEqual(expected);
});
