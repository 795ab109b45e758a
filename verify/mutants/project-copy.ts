/** A copy of the project for the mutants, so that the working tree is never changed. */
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Large or generated folders. */
const LEFT_OUT = new Set(['.git', '.data', 'dist', 'node_modules']);

/** Links the packages of the project. */
export async function copyProject(root: string, into: string): Promise<void> {
  await mkdir(into, { recursive: true });
  const names = (await readdir(root)).filter((name) => !LEFT_OUT.has(name));
  const filter = (path: string): boolean => !/\/(dist|node_modules)$/.test(path);
  await Promise.all(names.map((name) => cp(join(root, name), join(into, name), { recursive: true, filter })));
  await symlink(join(root, 'node_modules'), join(into, 'node_modules'));
}

export const writeSource = (copy: string, file: string, source: string): Promise<void> =>
  writeFile(join(copy, file), source);
