/** Tests the errors of `npm run talk` on a machine that lacks a program. */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allFound, findTalkTools } from '../../../dev/talk/tools';
import { silent } from '../../../dev/progress';
import { findLivekitServer, livekitServer } from '../../../dev/toolchain/livekit-server';
import { findTemporalCli, temporalCli } from '../../../dev/toolchain/temporal-cli';
import { temporaryFolder } from '../temporary-folder';

/** Creates a machine that has only these programs, and a repository with a built agent. */
async function machine(programs: Record<string, string>) {
  const root = temporaryFolder();
  const folder = join(root, 'bin');
  await mkdir(folder);
  for (const [name, prints] of Object.entries(programs)) {
    await writeFile(join(folder, name), `#!/bin/sh\necho '${prints}'\n`);
    await chmod(join(folder, name), 0o755);
  }
  const agent = join(root, 'agent', 'dist', 'agent');
  await mkdir(agent, { recursive: true });
  await writeFile(join(agent, 'main.js'), '');
  return { root, environment: { PATH: folder, XDG_CACHE_HOME: join(root, 'cache') } };
}

const SERVERS = {
  temporal: 'temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)',
  'livekit-server': 'livekit-server version 1.13.5',
};

const errorOn = async (programs: Record<string, string>, browser: boolean): Promise<string> => {
  const { root, environment } = await machine(programs);
  return findTalkTools(root, { environment, onProgress: silent, browser }).then(() => '', String);
};

test('requires no Redis, and requires Chromium only for a scripted caller', async () => {
  const programs = { ...SERVERS, python3: '3.11' };
  expect(await errorOn(programs, false)).toBe('');
  expect(await errorOn(programs, true)).toMatch(/Chromium was not found[^]*apt-get install chromium/);
});

test('lists every missing system package and how to install it before it searches for servers', async () => {
  const error = await errorOn({}, true);
  expect(error).toContain('It is needed for speech recognition and a voice.');
  expect(error).toContain('apt-get install python3 python3-venv');
  expect(error).toContain('apt-get install chromium');
  expect(error).not.toMatch(/Temporal|LiveKit/);
});

test("lists each server that can't be downloaded or built, and how to install it", async () => {
  const { root, environment } = await machine({});
  const go = join(environment.PATH, 'go');
  await writeFile(go, '#!/bin/sh\nexit 1\n');
  await chmod(go, 0o755);
  const search = {
    configuredPath: undefined,
    environment,
    cacheFolder: join(root, 'cache'),
    onProgress: silent,
  };
  const offline = jest.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no network'));
  const error = await allFound([findTemporalCli(search), findLivekitServer(search)]).catch(String);
  offline.mockRestore();
  for (const { title, remedy } of [temporalCli, livekitServer]) {
    expect(error).toContain(`${title} was not found`);
    expect(error).toContain(`To get it: ${remedy}`);
  }
});
