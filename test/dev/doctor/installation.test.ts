import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { isNewEnough, nodeRemedy, packageCount, packagesFault } from '../../../dev/doctor/installation';
import { repositoryRoot } from '../../../dev/stack/repository';
import { temporaryFolder } from '../temporary-folder';

describe('the check of Node', () => {
  test.each([
    ['20.19.0', '>=20.19', true],
    ['20.20.1', '>=20.19', true],
    ['v22.0.0', '>=20.19', true],
    ['20.18.3', '>=20.19', false],
    ['16.20.2', '>=20.19', false],
    ['9.99.0', '>=20.19', false],
  ])('compares version %s with %s numerically: %s', (version, wanted, expected) => {
    expect(isNewEnough(version, wanted)).toBe(expected);
  });

  test('links to a newer version if Node is too old', () => {
    expect(nodeRemedy('>=20.19')).toMatch(/^install Node 20\.19 or newer: https:\/\/nodejs\.org/);
  });

  test.each(['installation', 'machine', 'main', 'ready', 'report', 'run-typescript'])(
    'uses only syntax that Node 16 parses in %s.js',
    (name) => {
      const source = readFileSync(join(repositoryRoot(), 'dev', 'doctor', `${name}.js`), 'utf8');
      const as = (target: ts.ScriptTarget) =>
        ts.transpileModule(source, {
          compilerOptions: { target, module: ts.ModuleKind.CommonJS, allowJs: true },
        }).outputText;
      expect(as(ts.ScriptTarget.ES2021)).toBe(as(ts.ScriptTarget.ESNext));
    },
  );
});

describe('the check of installed packages', () => {
  const LOCKED = {
    '': {},
    agent: { version: '1.0.0' },
    'node_modules/voice-agent': { link: true },
    'agent/node_modules/left-pad': { version: '1.0.0' },
    'node_modules/typescript': { version: '5.9.3', dev: true },
    'node_modules/pg': { version: '8.23.1' },
    'node_modules/pg/node_modules/pg-types': { version: '2.0.0' },
    'node_modules/for-another-system': { version: '1.0.0', optional: true },
  };
  type Path = keyof typeof LOCKED;
  const INSTALLED: Path[] = [
    'node_modules/typescript',
    'node_modules/pg',
    'node_modules/pg/node_modules/pg-types',
  ];
  let root: string;

  const put = (path: string, content: unknown) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), JSON.stringify(content));
  };
  const list = (paths: Path[]) =>
    put('node_modules/.package-lock.json', {
      packages: Object.fromEntries(paths.map((path) => [path, LOCKED[path]])),
    });

  beforeEach(() => {
    root = temporaryFolder();
    put('package-lock.json', { packages: LOCKED });
    for (const path of INSTALLED) put(`${path}/package.json`, LOCKED[path]);
    list(INSTALLED);
  });

  test('accepts node_modules if each required package has its version from the lock file', () => {
    expect(packagesFault(root)).toBeNull();
    expect(packageCount(root)).toBe(3);
  });

  test('reports a missing installation without node_modules', () => {
    rmSync(join(root, 'node_modules'), { recursive: true });
    expect(packagesFault(root)).toBe('the packages are not installed');
  });

  test("reports an interrupted install if npm hasn't written its package list", () => {
    rmSync(join(root, 'node_modules', '.package-lock.json'));
    expect(packagesFault(root)).toBe('the last install of the packages was interrupted');
  });

  test('reports a missing nested package', () => {
    rmSync(join(root, 'node_modules', 'pg', 'node_modules'), { recursive: true });
    expect(packagesFault(root)).toBe('node_modules/pg/node_modules/pg-types is missing');
  });

  test('reports an outdated package if the lock file has a different version', () => {
    put('node_modules/pg/package.json', { version: '8.22.0' });
    expect(packagesFault(root)).toBe('node_modules/pg is 8.22.0, package-lock.json has 8.23.1');
  });

  test('reports a missing package if only the lock file contains it', () => {
    put('package-lock.json', { packages: { ...LOCKED, 'node_modules/koa': { version: '3.0.0' } } });
    expect(packagesFault(root)).toBe('node_modules/koa is missing');
  });

  test('reports the missing folder of an installed optional package', () => {
    list([...INSTALLED, 'node_modules/for-another-system']);
    expect(packagesFault(root)).toBe('node_modules/for-another-system is missing');
  });

  test('accepts a production install for running, but not for building', () => {
    rmSync(join(root, 'node_modules', 'typescript'), { recursive: true });
    list(INSTALLED.filter((path) => path !== 'node_modules/typescript'));
    expect(packagesFault(root, { runsOnly: true })).toBeNull();
    expect(packagesFault(root)).toBe('node_modules/typescript is missing');
  });

  test('reports a missing lock file', () => {
    rmSync(join(root, 'package-lock.json'));
    expect(packagesFault(root)).toMatch(/package-lock\.json is missing/);
  });
});
