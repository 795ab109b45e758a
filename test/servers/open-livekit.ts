import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../dev/stack/repository';
import { findLivekitServer } from '../../dev/toolchain/livekit-server';
import { findRedisServer } from '../../dev/toolchain/redis-server';
import { runOrFail } from '../../dev/toolchain/run';
import type { Run } from './open-servers';
import { orMissing, search } from './open-temporal';
import { publish } from './published';

/** Only found here, and the agent brought up to date: each test file starts its own. */
export async function openLivekit(run: Run): Promise<void> {
  await orMissing('livekit', async () => {
    await buildAgent(join(repositoryRoot(), 'agent'));
    const redis = await findRedisServer(search(run, process.env.REDIS_SERVER_PATH));
    publish('TEST_REDIS_SERVER', redis.path);
    const livekit = await findLivekitServer(search(run, process.env.LIVEKIT_SERVER_PATH));
    publish('TEST_LIVEKIT_SERVER', livekit.path);
  });
}

/** It is a package of its own, which `npm run build` does not build. What was built before is not built again. */
async function buildAgent(folder: string): Promise<void> {
  if (!existsSync(join(folder, 'node_modules'))) {
    throw new Error('the agent has no packages: run "npm --prefix agent ci"');
  }
  await runOrFail({
    command: 'npm',
    args: ['--prefix', folder, 'run', '--silent', 'build'],
    timeoutMs: 120_000,
    env: process.env,
  });
}
