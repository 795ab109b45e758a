import { simulated } from './seeds';

test('preserves every invariant in two hundred more simulated runs', async () => {
  expect(await simulated('--seeds', '21-220')).toContain('200 seeds, 0 failed');
}, 1_800_000);

test('finds every planted fault within twenty seeds', async () => {
  const verdicts = (await simulated('--planted')).split('\n').filter((line) => /^ +\d+  /.test(line));
  expect(verdicts.length).toBeGreaterThan(19);
  expect(verdicts.filter((line) => !line.includes('found by seed'))).toEqual([]);
}, 900_000);
