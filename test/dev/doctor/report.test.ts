import type { Check } from '../../../dev/doctor/check';
import { isReady, jsonOf, textOf } from '../../../dev/doctor/report';

const check = (differences: Partial<Check>): Check => ({
  group: 'machine',
  title: 'Node',
  state: 'ok',
  found: '20.20.2',
  onlyFor: null,
  remedy: null,
  ...differences,
});
const MEMORY = check({
  title: 'memory',
  state: 'missing',
  found: '0.5 GiB free of 1.0 GiB',
  remedy: 'close programs',
});
const REDIS = check({
  group: 'servers',
  title: 'redis-server',
  state: 'note',
  found: 'not found',
  onlyFor: 'LiveKit',
  remedy: 'apt-get install redis-server',
});
const PLAIN = { columns: 80, isColoured: false };

test('reports the machine as ready despite notes, but not if something is missing', () => {
  expect(isReady([check({}), REDIS])).toBe(true);
  expect(textOf([check({}), REDIS], PLAIN)).toMatch(
    /^Both can work here: npm ci && npm run demo, npm ci && npm test$/m,
  );
  expect(isReady([check({}), MEMORY])).toBe(false);
});

test("returns the doctor's checks and the overall result as JSON", () => {
  expect(JSON.parse(jsonOf([check({}), MEMORY]))).toEqual({ ready: false, checks: [check({}), MEMORY] });
});
