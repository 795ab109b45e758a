import { join } from 'node:path';
import { runOrFail } from '../../dev/toolchain/run';

export const SOURCES_FILE = 'sources.tar.gz';

const WORKER_FOLDERS = ['worker', 'workflows', 'domain', 'activities', 'db', 'config', 'runtime'];

/** During a deployment, the new version migrates the database, so the old worker needs none of these files. */
const NOT_NEEDED = [':(exclude)db/migrations', ':(exclude)*.sql'];

/** Returns the commit to record as seven digits. Throws if a file of the worker differs from that commit. */
export async function recordedCommit(repository: string): Promise<string> {
  const git = (...args: string[]): Promise<string> =>
    runOrFail({ command: 'git', args, cwd: repository, timeoutMs: 10_000 });
  const changed = await git('status', '--porcelain', '--', ...WORKER_FOLDERS);
  if (changed !== '')
    throw new Error(
      `Commit first: histories are recorded from a commit, but these files differ:\n${changed}`,
    );
  return (await git('rev-parse', '--short=7', 'HEAD')).trim();
}

/** Packs the commit's worker with its histories. A test uses them to deploy over a worker of this version. */
export async function packSources(
  repository: string,
  { commit, folder }: { commit: string; folder: string },
): Promise<void> {
  await runOrFail({
    command: 'git',
    args: ['archive', '--output', join(folder, SOURCES_FILE), commit, ...WORKER_FOLDERS, ...NOT_NEEDED],
    cwd: repository,
    timeoutMs: 60_000,
  });
}
