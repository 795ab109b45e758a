import { simulated } from './seeds';

test('twenty simulated courses keep every invariant', async () => {
  expect(await simulated('20')).toContain('20 seeds, 0 failed');
}, 900_000);
