import { findLivekitServer, findRedisServer } from '../../dev/toolchain/media-tools';
import type { Run } from './open-servers';
import { orMissing, search } from './open-temporal';
import { publish } from './published';

/** Only locates the servers. Each test file starts its own. */
export async function openLivekit(run: Run): Promise<void> {
  await orMissing('livekit', async () => {
    const redis = await findRedisServer(search(run, process.env.REDIS_SERVER_PATH));
    publish('TEST_REDIS_SERVER', redis.path);
    const livekit = await findLivekitServer(search(run, process.env.LIVEKIT_SERVER_PATH));
    publish('TEST_LIVEKIT_SERVER', livekit.path);
  });
}
