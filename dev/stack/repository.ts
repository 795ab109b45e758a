import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns the repository's root: the nearest parent folder with the lock file. Works from the sources and from `dist`. */
export function repositoryRoot(from: string = __dirname): string {
  if (existsSync(join(from, 'package-lock.json'))) return from;
  const parent = dirname(from);
  if (parent === from) throw new Error('the repository root (a folder with package-lock.json) was not found');
  return repositoryRoot(parent);
}
