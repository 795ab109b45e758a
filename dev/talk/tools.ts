/** Finds or installs the programs that `npm run talk` needs besides Node, before it downloads anything large. */
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
 * @param browser true if a scripted caller talks through Chromium
 * @throws Error that lists everything missing with its remedy
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
  // Checks system packages first, because a build takes minutes.
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

/** @throws Error with one paragraph for each failed search */
export async function allFound(finds: readonly (Promise<unknown> | false)[]): Promise<void> {
  const begun = finds.filter((find) => find !== false);
  const faults = (await Promise.allSettled(begun)).flatMap((find) =>
    find.status === 'rejected' ? [errorText(find.reason)] : [],
  );
  if (faults.length > 0) throw new Error(faults.join('\n\n'));
}
