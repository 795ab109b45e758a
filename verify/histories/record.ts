/** Records histories that later versions of the workflows must replay. */
import { mkdir, readFile, rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { removeFolder } from '../../dev/remove-folder';
import { printProgress } from '../../dev/progress';
import { ClosingOrder } from '../../dev/stack/closing';
import { repositoryRoot } from '../../dev/stack/repository';
import type { RecorderOptions } from './command-line';
import { Recording } from './recording';
import { ACTS, type Act } from './scenes';
import { packSources, recordedCommit, SOURCES_FILE } from './sources';
import { openStage } from './stage';

export async function recordHistories(options: RecorderOptions, signal: AbortSignal): Promise<void> {
  const commit = await recordedCommit(repositoryRoot());
  const folder = await folderOf(options, commit);
  // Uses a temporary name until the recording is complete, so that a partial recording isn't mistaken for a complete one.
  const unfinished = `${folder}.unfinished`;
  await removeFolder(unfinished);
  await mkdir(unfinished, { recursive: true });
  try {
    let histories = 0;
    for (const act of ACTS) histories += await record(act, unfinished, signal);
    await packSources(repositoryRoot(), { commit, folder: unfinished });
    await rename(unfinished, folder);
    console.log(`${histories} histories in ${folder}`);
  } finally {
    await removeFolder(unfinished);
  }
}

/** Returns the number of recorded histories. */
async function record({ hasModel, scenes }: Act, folder: string, signal: AbortSignal): Promise<number> {
  const closing = new ClosingOrder();
  try {
    const stage = await openStage({
      environment: process.env,
      onProgress: printProgress(process.stderr),
      signal,
      closing,
      hasModel,
    });
    const recording = new Recording(stage.temporal.workflow, folder);
    await Promise.all(scenes.map((scene) => scene(stage, recording)));
    return recording.names.length;
  } finally {
    await closing.close();
  }
}

async function folderOf({ into, version }: RecorderOptions, commit: string): Promise<string> {
  const folder = resolve(into, version ?? (await versionHere(commit)));
  const taken = await readFile(join(folder, SOURCES_FILE)).then(
    () => true,
    () => false,
  );
  if (taken) throw new Error(`${folder} already exists: choose another --version or remove it`);
  return folder;
}

/** For example `0.1.0-1ab3b86`. */
async function versionHere(commit: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(repositoryRoot(), 'package.json'), 'utf8'));
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest
      ? String(manifest.version)
      : '0';
  return `${version}-${commit}`;
}
