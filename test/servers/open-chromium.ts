import { findChromium } from '../../dev/toolchain/media-tools';
import type { Run } from './open-servers';
import { orMissing, search } from './open-temporal';
import { publish } from './published';

/** Only locates Chromium. Each test file starts its own instance. */
export async function openChromium(run: Run): Promise<void> {
  await orMissing('chromium', async () => {
    const { path } = await findChromium(search(run, process.env.CHROMIUM_PATH));
    publish('TEST_CHROMIUM', path);
  });
}
