import { findLivekitServer, release } from '../../../dev/toolchain/livekit-server';
import { findRedisServer } from '../../../dev/toolchain/redis-server';
import { silent } from '../../../dev/progress';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../temporary-folder';

/** Creates a PATH with only this program, which prints this line. */
function onPath(program: string, line: string) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin', program), `#!/bin/sh\necho '${line}'\n`, { mode: 0o755 });
  return {
    configuredPath: undefined,
    environment: { PATH: join(folder, 'bin') },
    cacheFolder: join(folder, 'cache'),
    onProgress: silent,
  };
}

test("finds LiveKit's server on PATH", async () => {
  const search = onPath('livekit-server', 'livekit-server version 1.14.0');
  expect(await findLivekitServer(search)).toMatchObject({ origin: 'PATH' });
});

test("downloads LiveKit's release only on Linux, for two architectures", () => {
  expect(release('linux', 'x64')).toMatchObject({
    archiveUrl: expect.stringMatching(/^https:.*_linux_amd64\.tar\.gz$/),
  });
  expect(release('linux', 'arm64')?.archiveUrl).toMatch(/_linux_arm64/);
  expect([release('darwin', 'arm64'), release('linux', 'ia32')]).toEqual([null, null]);
});

test('finds Redis, or Valkey as its replacement, on PATH', async () => {
  const line = 'Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64';
  expect(await findRedisServer(onPath('redis-server', line))).toMatchObject({ version: 'server v=7.0.15' });
});

test('names the package to install if Redis is missing or too old', async () => {
  const old = findRedisServer(onPath('redis-server', 'Redis server v=4.0.9 sha=0'));
  await expect(old).rejects.toThrow(/\b4 is older than 5/);
  await expect(findRedisServer(onPath('other', ''))).rejects.toThrow(/apt-get install redis-server/);
});
