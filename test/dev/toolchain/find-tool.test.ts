import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { silent } from '../../../dev/progress';
import {
  findTool,
  locateTool,
  ToolMissing,
  type Tool,
  type ToolBuild,
  type ToolSearch,
} from '../../../dev/toolchain/find-tool';
import { runOrFail } from '../../../dev/toolchain/run';
import { temporaryFolder } from '../temporary-folder';

/** Creates a program that prints its original folder, which shows which program was found. */
function program(folder: string, version: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'gadget');
  writeFileSync(path, `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
  return path;
}

function gadget(into: ToolBuild['into'] = () => Promise.reject(new Error('no compiler'))): Tool {
  return {
    title: 'the gadget',
    variable: 'GADGET_PATH',
    program: 'gadget',
    cacheName: 'gadget-1',
    vendorArtifact: 'gadget/v1',
    remedy: 'run "install gadget"',
    verify: async (path) => (await runOrFail({ command: path, args: [], timeoutMs: 5000 })).trim(),
    build: { title: 'building the gadget', commands: ['gcc'], into },
  };
}

let root: string;
let search: ToolSearch;

beforeEach(() => {
  root = temporaryFolder();
  mkdirSync(join(root, 'bin'));
  search = {
    configuredPath: undefined,
    environment: { PATH: join(root, 'bin') },
    cacheFolder: join(root, 'cache'),
    onProgress: silent,
    // Nothing listens on port 1.
    vendorUrl: 'http://127.0.0.1:1',
  };
});

test('prefers the configured program to one on PATH', async () => {
  program(join(root, 'bin'), 'from-path');
  const configuredPath = program(join(root, 'mine'), 'configured');
  const found = await findTool(gadget(), { ...search, configuredPath });
  expect(found).toEqual({ path: configuredPath, origin: 'configured', version: 'configured' });
});

test("fails and names the variable if the configured program doesn't run", async () => {
  program(join(root, 'bin'), 'from-path');
  const looking = findTool(gadget(), { ...search, configuredPath: join(root, 'absent') });
  await expect(looking).rejects.toThrow(/GADGET_PATH=.*absent does not run/);
});

test("prefers a program on PATH to the cached one, unless it doesn't run", async () => {
  program(join(root, 'cache', 'gadget-1'), 'cached');
  program(join(root, 'bin'), 'from-path');
  expect(await findTool(gadget(), search)).toMatchObject({ origin: 'PATH', version: 'from-path' });
  writeFileSync(join(root, 'bin', 'gadget'), '#!/bin/sh\nexit 1\n');
  expect(await findTool(gadget(), search)).toMatchObject({ origin: 'cache', version: 'cached' });
});

test('searches for a program without downloading or building it', async () => {
  const cached = program(join(root, 'cache', 'gadget-1'), 'cached');
  expect(await locateTool(gadget(), search)).toMatchObject({ found: { path: cached, origin: 'cache' } });
  rmSync(join(root, 'cache'), { recursive: true });
  const into = jest.fn(() => Promise.resolve());
  expect(await locateTool(gadget(into), search)).toEqual({
    found: null,
    tried: ['no suitable gadget on PATH'],
  });
  expect(into).not.toHaveBeenCalled();
  expect(existsSync(search.cacheFolder)).toBe(false);
});

test("downloads the vendor's program once and then uses the cache", async () => {
  program(join(root, 'pack'), 'downloaded');
  execFileSync('tar', ['-czf', join(root, 'gadget.tar.gz'), '-C', join(root, 'pack'), 'gadget']);
  const vendor = await serve(join(root, 'gadget.tar.gz'));
  try {
    const { port } = vendor.address() as AddressInfo;
    const vendorUrl = `http://127.0.0.1:${port}`;
    expect(await findTool(gadget(), { ...search, vendorUrl })).toMatchObject({ origin: 'download' });
    expect(await findTool(gadget(), search)).toMatchObject({ origin: 'cache', version: 'downloaded' });
    expect(readdirSync(search.cacheFolder)).toEqual(['gadget-1']);
  } finally {
    vendor.close();
  }
});

test('shares one build between concurrent searches if there is no download', async () => {
  let builds = 0;
  const tool = gadget((folder) => {
    builds += 1;
    program(folder, 'built');
    return Promise.resolve();
  });
  const found = await Promise.all([findTool(tool, search), findTool(tool, search)]);
  expect(found.map(({ origin }) => origin).sort()).toEqual(['build', 'cache']);
  expect(builds).toBe(1);
});

test('takes over the build lock of a dead process', async () => {
  mkdirSync(search.cacheFolder);
  writeFileSync(join(search.cacheFolder, 'gadget-1.lock'), '{"pid":999999999,"identity":"gone"}');
  const tool = gadget((folder) => Promise.resolve(void program(folder, 'built')));
  expect(await findTool(tool, search)).toMatchObject({ origin: 'build' });
});

test("reports what was tried and what to do if a tool can't be found, downloaded or built", async () => {
  const failure: unknown = await findTool(gadget(), search).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ToolMissing);
  expect(String(failure)).toMatch(
    /no suitable gadget on PATH[^]*download: 127\.0\.0\.1:1[^]*build: no compiler[^]*run "install gadget", or set GADGET_PATH/,
  );
});

function serve(archive: string): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url === '/archive') {
      response.end(execFileSync('cat', [archive]));
      return;
    }
    const archiveUrl = `http://${request.headers.host}/archive`;
    response.end(JSON.stringify({ archiveUrl, fileToExtract: 'gadget' }));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
