/** The last step of the build for `db/`: tsc copies no .sql files, which `dist/db/migrate.js` reads beside itself. */
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readFunctionFiles } from '../../db/kernel/function-files';
import { repositoryRoot } from '../stack/repository';

/** What migrate reads; `schema.sql` is for people. */
const READ = /^(functions|migrations)\/.*\.sql$/;

/**
 * Makes the .sql files below `to` those below `from`: one that is left over would be applied as if it were still meant. Rejects where a file
 * of a function is not well formed. Returns how many there are.
 */
export async function copySql(from: string, to: string): Promise<number> {
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
