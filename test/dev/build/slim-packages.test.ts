import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repositoryRoot } from '../../../dev/stack/repository';

const SCRIPT = join(repositoryRoot(), 'dev', 'build', 'slim-packages.js');

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slim-packages-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (path: string, content: object = {}): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), JSON.stringify(content));
};
const slim = (...args: string[]) => spawnSync(process.execPath, [SCRIPT, ...args], { cwd: folder });
const files = (): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

test('keeps every package that package.json needs at any depth, with the files it loads', () => {
  write('agent/package.json', { dependencies: { used: '1' }, devDependencies: { unused: '1' } });
  write('node_modules/used/package.json', {
    dependencies: { deep: '1' },
    optionalDependencies: { 'of-another-system': '1' },
    peerDependencies: { peer: '1', absent: '1' },
    peerDependenciesMeta: { absent: { optional: true } },
  });
  write('node_modules/used/node_modules/deep/package.json');
  write('node_modules/used/node_modules/deep/main.js');
  write('node_modules/@scope/unused/package.json');
  for (const name of ['deep', 'peer', 'absent', 'unused']) write(`node_modules/${name}/package.json`);
  for (const file of ['index.js', 'index.js.map', 'index.d.ts', 'README.md', 'LICENSE.md', 'test/index.js'])
    write(`node_modules/peer/${file}`);
  expect(slim('agent/package.json').status).toBe(0);
  expect(files()).toEqual([
    'agent/package.json',
    'node_modules/peer/LICENSE.md',
    'node_modules/peer/index.js',
    'node_modules/peer/package.json',
    'node_modules/used/node_modules/deep/main.js',
    'node_modules/used/node_modules/deep/package.json',
    'node_modules/used/package.json',
  ]);
});

test('fails and keeps all native libraries if the one for this system is missing', () => {
  write('package.json', { dependencies: { '@temporalio/core-bridge': '1' } });
  write('node_modules/@temporalio/core-bridge/package.json');
  write('node_modules/@temporalio/core-bridge/releases/another-system/index.node');
  expect(slim('package.json').stderr.toString()).toContain('has no');
  expect(files()).toContain('node_modules/@temporalio/core-bridge/releases/another-system/index.node');
});
