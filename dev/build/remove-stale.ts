/**
 * The last step of the build: removes what an earlier build made of a source that is gone. A file that became a folder of the same name
 * would be loaded instead of the folder.
 */
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../stack/repository';

/** Where the compilers write; the bundles of workflows lie beside the folders. */
const OUTPUTS = ['dist', join('agent', 'dist')];

/** Returns the files that it has removed, relative to the root. */
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
