/** Reads the histories that the recorder (`verify/histories/`) stored for each version. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../../dev/stack/repository';

export const HISTORIES = join(repositoryRoot(), 'test', 'workflows', 'histories');

/** Oldest first. */
export const VERSIONS: readonly string[] = readdirSync(HISTORIES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));

export interface StoredHistory {
  /** In the form `<version>/<what>`. */
  name: string;
  text: string;
  history: { events: any[] };
}

export const HISTORY_FILES: readonly string[] = VERSIONS.flatMap((version) =>
  readdirSync(join(HISTORIES, version))
    .filter((file) => file.endsWith('.json'))
    .map((file) => `${version}/${file.replace(/\.json$/, '')}`)
    .sort(),
);

export function storedHistory(name: string): StoredHistory {
  const text = readFileSync(join(HISTORIES, `${name}.json`), 'utf8');
  return { name, text, history: JSON.parse(text) };
}

/** Returns the newest version's history with this name. */
export function newestHistory(what: string): StoredHistory {
  const name = HISTORY_FILES.findLast((file) => file.endsWith(`/${what}`));
  if (name === undefined) throw new Error(`no version has a history of ${what}`);
  return storedHistory(name);
}
