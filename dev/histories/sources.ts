import { join } from 'node:path';
import { run } from '../toolchain/run';

/** What a worker of the version is made of. */
export const WORKER_FOLDERS = ['worker', 'workflows', 'activities', 'db'] as const;

export const SOURCES_FILE = 'sources.tar.gz';

/** Packs the worker's sources beside its histories, for the test that deploys over a worker of this version. */
export async function packSources(repository: string, folder: string): Promise<void> {
  const { code, output } = await run({
    command: 'tar',
    // The same bytes whoever packs them, and nothing of who did.
    args: [
      '--sort=name',
      '--mtime=2000-01-01',
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '-czf',
      join(folder, SOURCES_FILE),
      '-C',
      repository,
      ...WORKER_FOLDERS,
    ],
    timeoutMs: 60_000,
  });
  if (code !== 0) throw new Error(`the sources could not be packed: ${output}`);
}
