import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repositoryRoot } from '../../../dev/stack/repository';

const SCRIPT = join('dev', 'build', 'when-changed.js');
const OUTPUTS = ['dist/.tsbuildinfo', 'agent/dist/.tsbuildinfo', 'console/dist/index.html'];
/** Stands in for the compilers. */
const BUILD = `
const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
const { dirname } = require('node:path');
for (const output of ${JSON.stringify(OUTPUTS)}) {
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(output, '');
}
appendFileSync('dist/builds', '.');
`;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'when-changed-'));
  mkdirSync(dirname(join(folder, SCRIPT)), { recursive: true });
  copyFileSync(join(repositoryRoot(), SCRIPT), join(folder, SCRIPT));
  mkdirSync(join(folder, 'db'));
  write('package.json', JSON.stringify({ scripts: { 'build:all': 'node build.js' } }));
  write('build.js', BUILD);
  write('db/source.ts', '1');
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (path: string, content: string): void => writeFileSync(join(folder, path), content);

/** Returns how many builds there have been. */
function builds(): number {
  const { status } = spawnSync(process.execPath, [join(folder, SCRIPT)], { cwd: folder });
  expect(status).toBe(0);
  return readFileSync(join(folder, 'dist', 'builds')).length;
}

test('builds again only if a source has changed or another build has written an output', () => {
  expect([builds(), builds()]).toEqual([1, 1]);
  write('db/source.ts', '2');
  expect([builds(), builds()]).toEqual([2, 2]);
  const later = Date.now() / 1000 + 60;
  utimesSync(join(folder, 'dist', '.tsbuildinfo'), later, later);
  expect(builds()).toBe(3);
});

test('fails if the build fails, and builds again the next time', () => {
  const build = () => spawnSync(process.execPath, [join(folder, SCRIPT)], { cwd: folder }).status;
  write('build.js', 'process.exitCode = 3;');
  expect([build(), build()]).toEqual([1, 1]);
  write('build.js', BUILD);
  expect(builds()).toBe(1);
});
