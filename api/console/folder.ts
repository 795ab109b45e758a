import { basename, join } from 'node:path';

const COMPILED = 'dist';

/** The repository's, also from what this file is compiled to. */
function root(): string {
  const folder = join(__dirname, '..', '..');
  return basename(folder) === COMPILED ? join(folder, '..') : folder;
}

/** Where the console is built to. The one place that says so. */
export const CONSOLE_FOLDER = join(root(), 'console', 'dist');
