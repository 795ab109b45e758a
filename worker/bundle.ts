/** Bundles the workflows at build time, so that a worker that was killed polls again within a second or two. */
import { existsSync } from 'node:fs';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

const folder = join(__dirname, '..', 'workflows');

/** Where the built worker finds its bundle. */
export const bundlePath = join(__dirname, '..', 'workflow-bundle.js');

async function newestChange(path: string): Promise<number> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  const times = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).mtimeMs),
  );
  return Math.max(...times);
}

/** Does nothing when the bundle is newer than every file of the workflows. */
export async function writeBundle(): Promise<void> {
  if (existsSync(bundlePath) && (await stat(bundlePath)).mtimeMs > (await newestChange(folder))) return;
  const { code } = await bundleWorkflowCode({
    workflowsPath: require.resolve('../workflows'),
    logger: new DefaultLogger('WARN'),
  });
  await writeFile(bundlePath, code);
}

if (require.main === module) {
  writeBundle().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  });
}
