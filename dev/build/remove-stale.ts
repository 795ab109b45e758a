/**
 * Last build step: removes outputs whose source no longer exists. If a file was replaced by a folder of the same name, Node would load the
 * old file instead of the folder.
 */
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../stack/repository';

/** Folders that the compilers write to. The workflow bundles are next to these folders and are kept. */
const OUTPUTS = ['dist', join('agent', 'dist')];

/** Returns the removed files, relative to the root. */
export async function removeStale(root: string, outputs: readonly string[] = OUTPUTS): Promise<string[]> {
  const removed: string[] = [];
  for (const output of outputs) {
    if (!existsSync(join(root, output))) continue;
    for (const file of await readdir(join(root, output), { recursive: true })) {
      const source = /^(.+[/\\].+)\.js$/.exec(file)?.[1];
      if (source === undefined || ['.ts', '.js'].some((ending) => existsSync(join(root, source + ending))))
        continue;
      await rm(join(root, output, file));
      removed.push(join(output, file));
    }
  }
  return removed;
}

if (require.main === module) {
  removeStale(repositoryRoot()).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
