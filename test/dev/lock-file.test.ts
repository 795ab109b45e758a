import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const lock: Record<string, any> = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
const installed = Object.entries(lock).filter(([path]) => path.startsWith('node_modules/'));
const nameOf = (path: string): string => path.split('node_modules/').at(-1) ?? '';

describe('the lock file', () => {
  test('contains a hash for every package, and no registry host', () => {
    expect(installed.filter(([, { resolved, link }]) => resolved !== undefined && link !== true)).toEqual([]);
    const unhashed = installed.filter(
      ([, { link, integrity, inBundle }]) => !link && !inBundle && !integrity,
    );
    expect(unhashed.map(([path]) => path)).toEqual([]);
  });

  test('contains none of the abandoned packages that exceljs depends on', () => {
    const givenUp = ['rimraf', 'inflight', 'fstream', 'lodash.isequal', 'glob@7', 'uuid@8'];
    const found = installed
      .filter(([, { dev }]) => dev !== true)
      .map(([path, { version }]) => [nameOf(path), `${nameOf(path)}@${String(version).split('.')[0]}`])
      .filter((names) => names.some((name) => givenUp.includes(name)));
    expect(found).toEqual([]);
  });
});
