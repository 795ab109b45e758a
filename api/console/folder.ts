import { basename, join } from 'node:path';

const COMPILED = 'dist';

/** Returns the repository's root, also when run from compiled code. */
function root(): string {
  const folder = join(__dirname, '..', '..');
  return basename(folder) === COMPILED ? join(folder, '..') : folder;
}

/** Folder of the built console. */
export const CONSOLE_FOLDER = join(root(), 'console', 'dist');
