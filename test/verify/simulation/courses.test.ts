import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../../dev/stack/repository';
import { changedBundle, PLANTED } from '../../../verify/simulation/planted';
import { simulated } from './seeds';

test('twenty simulated courses keep every invariant', async () => {
  expect(await simulated('--seeds', '20')).toContain('20 seeds, 0 failed');
}, 900_000);

test('a seed repeats its course to the step', async () => {
  expect(await simulated('--seeds', '1-3', '--twice')).toContain('3 seeds, 0 failed');
}, 300_000);

test('every fault of the workflows can be planted in the workflows as they are', () => {
  const code = readFileSync(join(repositoryRoot(), 'dist', 'workflow-bundle.js'), 'utf8');
  const changes = PLANTED.flatMap(({ workflow }) => workflow ?? []);
  expect(changes.length).toBeGreaterThan(5);
  for (const change of changes) expect(changedBundle(code, change)).not.toBe(code);
});
