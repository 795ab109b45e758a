import { printProgress } from '../../dev/progress';
import { cacheFolder } from '../../dev/toolchain/cache-folder';
import { findSipTools } from '../../dev/toolchain/sip-tools';
import { closeServers, openServers } from './open-servers';
import { publish, publishedOrNull } from './published';

/** Nothing is skipped: whoever runs this suite wants to know whether the bridge works. @throws Error which names what is missing */
export default async (): Promise<void> => {
  const { env: environment } = process;
  const onProgress = printProgress(process.stderr);
  const tools = await findSipTools({ environment, cacheFolder: cacheFolder(environment), onProgress });
  publish('TEST_LIVEKIT_SIP', tools.bridge.path);
  publish('TEST_SIPP', tools.sipp.path);
  await openServers('sip');
  const missing = (['postgres', 'temporal', 'livekit'] as const).flatMap(
    (kind) => publishedOrNull(`TEST_MISSING_${kind}`) ?? [],
  );
  if (missing.length === 0) return;
  await closeServers();
  throw new Error(missing.join('\n\n'));
};
