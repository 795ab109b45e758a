import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waysToGet, type Means } from '../../../dev/doctor/means';
import { toolCheck, toolFinding, type Looked } from '../../../dev/doctor/tool-check';
import type { Tool } from '../../../dev/toolchain/find-tool';
import { temporaryFolder } from '../temporary-folder';

const GADGET: Tool = {
  title: 'the gadget',
  variable: 'GADGET_PATH',
  program: 'gadget',
  cacheName: 'gadget-1',
  vendorArtifact: 'gadget/v1',
  remedy: 'install Go',
  verify: (path) =>
    path.includes('broken') ? Promise.reject(new Error('too old')) : Promise.resolve('gadget\n1.0'),
  build: {
    title: 'building the gadget',
    commands: ['go'],
    into: () => Promise.reject(new Error('the doctor builds nothing')),
  },
};
const NEEDED = { tool: GADGET, onlyFor: null };
const OPTIONAL = { tool: GADGET, onlyFor: 'tests of gadgets' };
/** Nothing listens on port 1. */
const NOWHERE = 'http://127.0.0.1:1';
const means = (go: Awaited<ReturnType<Means['command']>>, modules: string | null = null): Means => ({
  command: () => Promise.resolve(go),
  goModulesFault: () => Promise.resolve(modules),
});

describe('a server', () => {
  const finding = (looked: Looked, wanted: Parameters<typeof toolFinding>[0] = NEEDED) =>
    toolFinding(wanted, looked);

  test('reports an installed server with its version and path', () => {
    const found = { version: 'gadget\n1.0', path: '/usr/bin/gadget' };
    expect(finding({ found: { ...found, origin: 'PATH' } })).toMatchObject({
      state: 'ok',
      title: 'gadget',
      found: 'gadget 1.0, on PATH, /usr/bin/gadget',
    });
    expect(finding({ found: { ...found, origin: 'cache' } }).found).toBe('gadget 1.0, in the cache');
    expect(finding({ found: { ...found, origin: 'configured' } }).found).toBe('gadget 1.0, /usr/bin/gadget');
  });

  test('accepts a missing server that can be obtained, and shows the first way that works', () => {
    const ways = [
      { what: 'a download', fault: 'no answer' },
      { what: 'building the gadget', fault: null },
    ];
    expect(finding({ ways })).toMatchObject({
      state: 'ok',
      found: 'not installed yet; will be obtained on first use: building the gadget',
    });
  });

  test("reports a server that can't be obtained, with the reasons, the remedy and its variable", () => {
    const ways = [
      { what: 'a download', fault: 'no answer' },
      { what: 'building the gadget', fault: 'go is not installed' },
    ];
    expect(finding({ ways })).toMatchObject({
      state: 'missing',
      found:
        'not found, and cannot be obtained (a download: no answer; building the gadget: go is not installed)',
      remedy: 'install Go, or set GADGET_PATH to the program',
    });
  });

  test('adds a note for a missing optional server', () => {
    expect(finding({ ways: [] }, OPTIONAL)).toMatchObject({
      state: 'note',
      found: 'not found',
      onlyFor: 'tests of gadgets',
    });
    expect(finding({ fault: 'does not run' }, OPTIONAL).state).toBe('note');
  });
});

describe('looking for a server', () => {
  const look = (environment: NodeJS.ProcessEnv, asked = means({ version: '1.26' })) =>
    toolCheck(
      NEEDED,
      { environment, cacheFolder: join(temporaryFolder(), 'cache'), vendorUrl: NOWHERE },
      asked,
    );

  test("names the variable if the program it points to doesn't run", async () => {
    expect(await look({ GADGET_PATH: '/broken/gadget' })).toMatchObject({
      state: 'missing',
      found: 'GADGET_PATH=/broken/gadget does not run: too old',
      remedy: 'set GADGET_PATH to the program, or unset it',
    });
  });

  test("finds a server on PATH, and otherwise doesn't build it", async () => {
    const folder = join(temporaryFolder(), 'bin');
    mkdirSync(folder);
    expect(await look({ PATH: folder })).toMatchObject({
      state: 'ok',
      found: expect.stringMatching(/^not installed yet/),
    });
    writeFileSync(join(folder, 'gadget'), '', { mode: 0o755 });
    expect(await look({ PATH: folder })).toMatchObject({
      state: 'ok',
      found: `gadget 1.0, on PATH, ${folder}/gadget`,
    });
  });
});

describe('the ways to get a server', () => {
  const faults = async (asked: Means) => (await waysToGet(GADGET, asked, NOWHERE)).map(({ fault }) => fault);

  test('returns the download and the build, each with the reason why it fails', async () => {
    expect(await faults(means({ fault: 'go is not installed' }))).toEqual([
      expect.stringContaining('127.0.0.1:1'),
      'go is not installed',
    ]);
    expect(await faults(means({ version: '1.26' }, 'its module proxy does not answer'))).toEqual([
      expect.any(String),
      'its module proxy does not answer',
    ]);
    expect(await faults(means({ version: '1.26' }))).toEqual([expect.any(String), null]);
  });

  test('returns no way to get a system package', async () => {
    expect(
      await waysToGet({ ...GADGET, vendorArtifact: null, build: null }, means({ version: '1' })),
    ).toEqual([]);
  });
});
