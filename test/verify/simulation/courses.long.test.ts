import { simulated } from './seeds';

test('two hundred further simulated courses keep every invariant', async () => {
  expect(await simulated('21-220')).toContain('200 seeds, 0 failed');
}, 1_800_000);
