import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import type { Check } from '../../../dev/doctor/tools';
import { repositoryRoot } from '../../../dev/stack/repository';
import { run } from '../../../dev/toolchain/run';
import { temporaryFolder } from '../temporary-folder';

const HERE = repositoryRoot();

/** Environment in which all of the doctor's network requests fail, because nothing listens on port 1. */
function offline(): NodeJS.ProcessEnv {
  const stub = join(temporaryFolder(), 'no-fetch.js');
  writeFileSync(stub, "globalThis.fetch = () => Promise.reject(new Error('no network'));\n");
  return {
    ...process.env,
    NODE_OPTIONS: `--require ${stub}`,
    npm_config_registry: 'http://user:hunter2@127.0.0.1:1/',
    GOPROXY: 'off',
    FORCE_COLOR: '',
  };
}

async function node(args: string[], { cwd = HERE, env = offline() } = {}) {
  return run({ command: process.execPath, args, cwd, env, timeoutMs: 60_000 });
}

/** Creates a freshly cloned repository, with sources but without packages. */
function clone(): string {
  const folder = temporaryFolder();
  for (const name of ['package.json', 'package-lock.json', '.swcrc', 'dev']) {
    cpSync(join(HERE, name), join(folder, name), { recursive: true });
  }
  return folder;
}

describe('npm run doctor', () => {
  test('checks machine, packages, servers and ports, hides passwords, and exits with the matching status', async () => {
    const { code, output } = await node(['dev/doctor/main.js', '--json']);
    const { ready, checks } = JSON.parse(output) as { ready: boolean; checks: Check[] };
    expect(code).toBe(ready ? 0 : 1);
    expect(ready).toBe(checks.every(({ state }) => state !== 'missing'));
    const stateOf = (wanted: string) => checks.find(({ title }) => title === wanted)?.state;
    expect(stateOf('Node')).toBe('ok');
    expect(stateOf('packages')).toBe('ok');
    expect(stateOf('postgres')).toBe('ok');
    expect(checks.map(({ title }) => title)).toEqual(
      expect.arrayContaining(['memory', 'disk', 'temporal', 'temporal-test-server', 'livekit-server']),
    );
    expect(new Set(checks.map(({ group }) => group))).toEqual(
      new Set(['machine', 'packages', 'servers', 'ports']),
    );
    expect(output).not.toContain('hunter2');
  }, 60_000);

  test('reports missing packages with the remedy and installs nothing', async () => {
    const cwd = clone();
    const { code, output } = await node(['dev/doctor/main.js'], { cwd });
    expect(code).toBe(1);
    expect(output).toMatch(/^ok +Node +\d/m);
    expect(output).toMatch(/^missing +packages +the packages are not installed/m);
    expect(output).toMatch(/^ +→ run "npm ci"$/m);
    expect(existsSync(join(cwd, 'node_modules'))).toBe(false);
  }, 60_000);

  test('prints its help and rejects an unknown option', async () => {
    expect(await node(['dev/doctor/main.js', '--help'])).toMatchObject({
      code: 0,
      output: expect.stringContaining('Usage: npm run doctor'),
    });
    expect(await node(['dev/doctor/main.js', '--fix'])).toMatchObject({
      code: 2,
      output: 'Unknown option "--fix": see "npm run doctor -- --help"\n',
    });
  }, 60_000);
});

test.each(['installation', 'machine', 'main', 'ready'])(
  'uses only syntax that Node 16 parses in %s.js, because the doctor runs on an old Node',
  (name) => {
    const source = readFileSync(join(HERE, 'dev', 'doctor', `${name}.js`), 'utf8');
    const as = (target: ts.ScriptTarget) =>
      ts.transpileModule(source, {
        compilerOptions: { target, module: ts.ModuleKind.CommonJS, allowJs: true },
      }).outputText;
    expect(as(ts.ScriptTarget.ES2021)).toBe(as(ts.ScriptTarget.ESNext));
  },
);

describe('a command that cannot work yet', () => {
  test('explains a build without packages in one line', async () => {
    expect(await node(['dev/doctor/ready.js'], { cwd: clone() })).toMatchObject({
      code: 1,
      output: 'The packages are not installed: run "npm ci".\n',
    });
  });

  test('explains an interrupted install in one line, for the build and for a built process', async () => {
    const cwd = clone();
    mkdirSync(join(cwd, 'node_modules', 'typescript'), { recursive: true });
    writeFileSync(join(cwd, 'node_modules', 'typescript', 'package.json'), '{"version":"5.9.3"}');
    const output = 'The last install of the packages was interrupted: run "npm ci".\n';
    for (const args of [[], ['dist/api/main.js']]) {
      expect(await node(['dev/doctor/ready.js', ...args], { cwd })).toMatchObject({ code: 1, output });
    }
  });

  test('explains a missing build in one line', async () => {
    const cwd = clone();
    symlinkSync(join(HERE, 'node_modules'), join(cwd, 'node_modules'));
    expect(await node(['dev/doctor/ready.js', 'dist/api/main.js'], { cwd })).toMatchObject({
      code: 1,
      output: 'dist/api/main.js is missing: run "npm run build" first.\n',
    });
  });

  test('runs a built program in the same way as node, with its arguments', async () => {
    const cwd = clone();
    symlinkSync(join(HERE, 'node_modules'), join(cwd, 'node_modules'));
    mkdirSync(join(cwd, 'dist'));
    writeFileSync(
      join(cwd, 'dist', 'program.js'),
      'console.log(JSON.stringify([require.main === module, process.argv.slice(1), process.execArgv]));',
    );
    const { output } = await node(['dev/doctor/ready.js', 'dist/program.js', '--a', 'b'], { cwd });
    expect(JSON.parse(output)).toEqual([true, [join(cwd, 'dist', 'program.js'), '--a', 'b'], []]);
  });
});

describe('an unknown option', () => {
  const BUILT = ['demo/main', 'start/main', 'talk/main', 'release/main', 'simulator/main', 'clean'];

  test.each(BUILT)('makes dev/%s exit with status 2 before it does anything', async (name) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'secrets.json'), '{}');
    const env = { ...offline(), DATA_DIR: folder };
    const { code, output } = await node(['dev/doctor/ready.js', `dist/dev/${name}.js`, '--wrong'], { env });
    expect(output).toMatch(/^Unknown option "--wrong": see "npm (run \S+|start) -- --help"\n$/);
    expect(code).toBe(2);
    expect(readdirSync(folder)).toEqual(['secrets.json']);
  });

  test.each(['dist/api/main.js', 'dist/worker/main.js', 'dist/db/migrate.js'])(
    'ends %s with status 2',
    async (entry) => {
      const { code, output } = await node(['dev/doctor/ready.js', entry, '--wrong']);
      expect(output).toMatch(/takes no options, such as "--wrong": set the environment variables.*\n$/);
      expect(code).toBe(2);
    },
  );

  test('removes nothing for npm run clean --help', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'secrets.json'), '{}');
    const env = { ...offline(), DATA_DIR: folder };
    const { code, output } = await node(['dist/dev/clean.js', '--help'], { env });
    expect([code, output.split('\n')[0]]).toEqual([0, 'Usage: npm run clean -- [options]']);
    expect(readdirSync(folder)).toEqual(['secrets.json']);
  });
});
