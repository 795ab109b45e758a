import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../../dev/stack/repository';
import { changedSource } from '../../../verify/simulation/changed-activities';
import { DIAL_MUTANTS } from '../../../verify/simulation/mutants';
import { changedBundle, PLANTED, plantedMutant } from '../../../verify/simulation/planted';
import { simulated } from './seeds';

test('preserves every invariant in twenty simulated runs, and repeats each run step by step', async () => {
  const output = await simulated('--seeds', '20');
  expect(output).toContain('20 seeds, 0 failed');
  // Each line begins with the seed and the fingerprint of all steps.
  const [first, second] = [output, await simulated('--seeds', '1-3')].map((text) =>
    text.match(/^seed .*?:/gm),
  );
  expect(second).toHaveLength(3);
  expect(second).toEqual(first?.slice(0, 3));
}, 900_000);

test('plants every mutant of the dialling code under a unique name', () => {
  for (const mutant of DIAL_MUTANTS) expect(changedSource(mutant)).toContain(mutant.to);
  expect(new Set(DIAL_MUTANTS.map(({ name }) => name)).size).toBe(DIAL_MUTANTS.length);
});

test('plants every fault of the activities in the current source', () => {
  const changes = PLANTED.flatMap(({ activities }) => activities ?? []);
  for (const change of changes) expect(changedSource(change)).toContain(change.to);
  expect(changes.map(({ file }) => file)).toContain('domain/rules/zone-spans.ts');
});

test('plants every workflow fault in the current workflow code', () => {
  const code = readFileSync(join(repositoryRoot(), 'dist', 'workflow-bundle.js'), 'utf8');
  const changes = [...PLANTED, ...DIAL_MUTANTS.map(plantedMutant)].flatMap(({ workflow }) => workflow ?? []);
  expect(changes.length).toBeGreaterThan(5);
  for (const change of changes) expect(changedBundle(code, change)).not.toBe(code);
});
