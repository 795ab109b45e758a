/** Programs that `npm run talk` needs beside Node. They are found, or got, before anything large is downloaded. */
import { SPEECH } from '../local-models/install';
import { errorText } from '../error-text';
import type { OnProgress } from '../progress';
import { mediaToolsFor } from '../stack/media-servers';
import type { Environment } from '../stack/platform-environment';
import { cacheFolder } from '../toolchain/cache-folder';
import { findChromium } from '../toolchain/chromium';
import { findPython } from '../toolchain/python';
import { findTemporalCli } from '../toolchain/temporal-cli';

/**
 * @param browser whether a scripted caller talks through Chromium
 * @throws Error which names all that is missing, each with its remedy
 */
export async function findTalkTools(
  repository: string,
  {
    environment,
    onProgress,
    browser,
  }: { environment: Environment; onProgress: OnProgress; browser: boolean },
): Promise<void> {
  const search = { environment, cacheFolder: cacheFolder(environment), onProgress };
  // Packages of the system first, because a build takes minutes.
  await allFound([
    findPython(environment, SPEECH),
    browser && findChromium({ ...search, configuredPath: environment.CHROMIUM_PATH }),
  ]);
  await allFound([
    mediaToolsFor(repository, environment, onProgress, { phones: false }),
    !environment.TEMPORAL_ADDRESS &&
      findTemporalCli({ ...search, configuredPath: environment.TEMPORAL_CLI_PATH }),
  ]);
}

/** @throws Error with the reason of each search that failed, a paragraph each */
export async function allFound(finds: readonly (Promise<unknown> | false)[]): Promise<void> {
  const begun = finds.filter((find) => find !== false);
  const faults = (await Promise.allSettled(begun)).flatMap((find) =>
    find.status === 'rejected' ? [errorText(find.reason)] : [],
  );
  if (faults.length > 0) throw new Error(faults.join('\n\n'));
}
