/** Creates a copy of the project for the mutants, so that the work tree never changes. */
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Large or generated folders that aren't copied. */
const LEFT_OUT = new Set(['.git', '.data', 'dist', 'node_modules']);

/** Copies the project, but links to its packages. */
export async function copyProject(root: string, into: string): Promise<void> {
  await mkdir(into, { recursive: true });
  const names = (await readdir(root)).filter((name) => !LEFT_OUT.has(name));
  const filter = (path: string): boolean => !/\/(dist|node_modules)$/.test(path);
  await Promise.all(names.map((name) => cp(join(root, name), join(into, name), { recursive: true, filter })));
  await symlink(join(root, 'node_modules'), join(into, 'node_modules'));
}

export const writeSource = (copy: string, file: string, source: string): Promise<void> =>
  writeFile(join(copy, file), source);
