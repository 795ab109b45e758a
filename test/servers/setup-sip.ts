import { printProgress } from '../../dev/progress';
import { cacheFolder } from '../../dev/toolchain/cache-folder';
import { findSipTools } from '../../dev/toolchain/media-tools';
import { requireServers } from './open-servers';
import { publish } from './published';

/**
 * Fails instead of skipping suites, because this run must show whether the bridge works.
 * @throws Error that names what is missing
 */
export default async (): Promise<void> => {
  const { env: environment } = process;
  const onProgress = printProgress(process.stderr);
  const tools = await findSipTools({ environment, cacheFolder: cacheFolder(environment), onProgress });
  publish('TEST_LIVEKIT_SIP', tools.bridge.path);
  publish('TEST_SIPP', tools.sipp.path);
  await requireServers('sip');
};
