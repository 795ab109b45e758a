/** Build step that copies the .sql files of `db/`. tsc doesn't copy them, but `dist/db/migrate.js` reads them from its own folder. */
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readFunctionFiles } from '../../db/kernel/apply-functions';
import { repositoryRoot } from '../stack/repository';

/** Files that migrate reads. `schema.sql` is only for people. */
const READ = /^(functions|migrations)\/.*\.sql$/;

/**
 * Copies the .sql files below `from` to `to`, and removes all others from `to`, because migrate would still apply them. Rejects if a
 * function's file is malformed.
 */
async function copySql(from: string, to: string): Promise<number> {
  await mkdir(to, { recursive: true });
  const [wanted, present] = [await sqlFiles(from), await sqlFiles(to)];
  for (const file of wanted) {
    await mkdir(dirname(join(to, file)), { recursive: true });
    await copyFile(join(from, file), join(to, file));
  }
  for (const file of present) if (!wanted.includes(file)) await rm(join(to, file));
  await readFunctionFiles(join(to, 'functions'));
  return wanted.length;
}

async function sqlFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  return entries.filter((name) => READ.test(name));
}

if (require.main === module) {
  const root = repositoryRoot();
  copySql(join(root, 'db'), join(root, 'dist', 'db')).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
