import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../../dev/stack/repository';

const textOf = (name: string): string =>
  readFileSync(join(repositoryRoot(), 'dev', 'local-models', name), 'utf8');

/** Name, version and hashes of each requirement. */
const requirements = textOf('requirements.txt')
  .split(/^(?=[a-z])/m)
  .filter((entry) => !entry.startsWith('#'))
  .map((entry) => ({
    pinned: /^([\w.-]+==[\w.]+)(?: ;|\s)/.exec(entry)?.[1],
    hashes: entry.match(/--hash=sha256:[0-9a-f]{64}\b/g) ?? [],
    entry,
  }));

test('pins the version and hashes of every package of the local models, including the model weights', () => {
  expect(requirements.length).toBeGreaterThan(20);
  expect(requirements.filter(({ pinned, hashes }) => pinned === undefined || hashes.length === 0)).toEqual(
    [],
  );
});

test('pins everything that requirements.in lists', () => {
  const wanted = textOf('requirements.in').trim().split('\n');
  const pinned = requirements.map((one) => one.pinned);
  expect(wanted.filter((name) => !pinned.includes(name))).toEqual([]);
});
