/** `npm run sbom`, and what the lock file brings. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '../..');
const run = promisify(execFile);
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const lock: Record<string, any> = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
const installed = Object.entries(lock).filter(([path]) => path.startsWith('node_modules/'));
const nameOf = (path: string): string => path.split('node_modules/').at(-1) ?? '';

describe('npm run sbom', () => {
  // Not with npm's `--omit dev`, which leaves out what the product and a development tool both ask for: pg, for one.
  test('names every package that the product runs with, its version and its licence, and marks those that only develop it', async () => {
    await run('npm', ['run', '-s', 'sbom'], { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 });
    const sbom = JSON.parse(readFileSync(join(ROOT, 'sbom.cdx.json'), 'utf8'));
    expect(sbom.bomFormat).toBe('CycloneDX');
    const named = new Map<string, any>(sbom.components.map((one: any) => [one.purl, one]));
    const facts = (name: string) => {
      const { version } = lock[`node_modules/${name}`];
      const { licenses = [], properties = [] } =
        named.get(`pkg:npm/${name.replace('@', '%40')}@${version}`) ?? {};
      const isForDevelopment = properties.some((one: any) => one.name === 'cdx:npm:package:development');
      return [name, licenses.length > 0, isForDevelopment];
    };
    const { dependencies, devDependencies } = manifest;
    for (const name of Object.keys(dependencies)) expect(facts(name)).toEqual([name, true, false]);
    for (const name of ['jest', 'eslint', 'prettier']) {
      expect(devDependencies).toHaveProperty(name);
      expect(facts(name)).toEqual([name, true, true]);
    }
  });

  test('writes a file that is not committed', async () => {
    const { stdout } = await run('git', ['check-ignore', 'sbom.cdx.json'], { cwd: ROOT });
    expect(stdout.trim()).toBe('sbom.cdx.json');
  });
});

describe('the lock file', () => {
  test('names no host of a registry: packages come from the one that is configured, with the hash that is written here', () => {
    expect(installed.filter(([, { resolved, link }]) => resolved !== undefined && link !== true)).toEqual([]);
    const unhashed = installed.filter(
      ([, { link, integrity, inBundle }]) => !link && !inBundle && !integrity,
    );
    expect(unhashed.map(([path]) => path)).toEqual([]);
  });

  test('brings none of the packages that their authors gave up and exceljs asks for', () => {
    const givenUp = ['rimraf', 'inflight', 'fstream', 'lodash.isequal', 'glob@7', 'uuid@8'];
    const found = installed
      .filter(([, { dev }]) => dev !== true)
      .map(([path, { version }]) => [nameOf(path), `${nameOf(path)}@${String(version).split('.')[0]}`])
      .filter((names) => names.some((name) => givenUp.includes(name)));
    expect(found).toEqual([]);
  });
});
