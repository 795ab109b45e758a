import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, rmdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { removeFolder } from '../remove-folder';
import { canReach, type UnprivilegedUser } from './unprivileged-user';

/** Where data goes when the user that Postgres runs as cannot reach the repository. Root only. */
const ELSEWHERE = '/var/lib/voice-agent-platform';

/** Marks a folder that we made or found empty, so that `clean` may remove all of it. */
const MARKER = '.voice-agent-platform-data';

/** What the local stack and the platform put into a data folder. */
const ENTRIES = [
  'postgres',
  'temporal',
  'redis',
  'logs',
  'run',
  'files',
  'mail',
  'secrets.json',
  'livekit.json',
  'platform.env',
];

export type DataFolder = {
  path: string;
  /** Folder of Postgres, always reached as `<path>/postgres`. */
  postgres: string;
  /** Said to the user when data does not lie where they would look for it. */
  note: string | null;
};

export type DataFolderChoice = {
  repository: string;
  /** DATA_DIR. */
  configured: string | undefined;
  user: UnprivilegedUser | null;
  elsewhere?: string;
};

/**
 * Chooses and makes the one folder that holds all data: DATA_DIR, else `.data` in the repository. As root, where
 * Postgres' user cannot pass through to `.data`, everything goes to a folder under /var/lib instead; under a
 * given DATA_DIR only Postgres does, and `postgres` in it is a link. `clean` knows all these places.
 */
export async function dataFolder(choice: DataFolderChoice): Promise<DataFolder> {
  const { user, configured } = choice;
  const wanted = wantedFolder(choice);
  await makeFolder(wanted, user);
  if (await canReach(user, wanted)) return settle(wanted, user, null);

  const other = otherFolder(choice);
  if (configured) {
    const note = `Postgres keeps its data in ${other}, because its user ${user?.name} cannot reach ${wanted}`;
    return settle(wanted, user, note, join(other, 'postgres'));
  }
  await rmdir(wanted).catch(() => {});
  await makeFolder(other, user);
  return settle(
    other,
    user,
    `data is kept in ${other}, because Postgres' user ${user?.name} cannot reach ${wanted}`,
  );
}

function wantedFolder({ configured, repository }: DataFolderChoice): string {
  return configured ? resolve(configured) : join(repository, '.data');
}

function otherFolder(choice: DataFolderChoice): string {
  const hash = createHash('sha256').update(wantedFolder(choice)).digest('hex').slice(0, 12);
  return join(choice.elsewhere ?? ELSEWHERE, hash);
}

/** Open to pass through for Postgres' user when we are root; closed to others else. */
async function makeFolder(path: string, user: UnprivilegedUser | null): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined || user === null) return;
  // Set by chmod, which the umask does not touch, on each folder that was made.
  for (let made = path; made.startsWith(first); made = dirname(made)) await chmod(made, 0o711);
}

async function settle(
  path: string,
  user: UnprivilegedUser | null,
  note: string | null,
  postgresElsewhere?: string,
): Promise<DataFolder> {
  if ((await readdir(path)).length === 0) await writeFile(join(path, MARKER), '');
  const postgres = join(path, 'postgres');
  if (postgresElsewhere !== undefined && !(await exists(postgres))) {
    // The link is gone because DATA_DIR was removed: the database that belonged to it goes too.
    await removeFolder(postgresElsewhere);
    await makeFolder(postgresElsewhere, user);
    await symlink(postgresElsewhere, postgres);
  }
  await Promise.all(['logs', 'run'].map((name) => mkdir(join(path, name), { recursive: true, mode: 0o700 })));
  return { path, postgres: postgresElsewhere ?? postgres, note };
}

/** Every place in which the choice may have put data, with what may be removed there. */
export async function removableData(choice: Omit<DataFolderChoice, 'user'>): Promise<string[]> {
  const places = [wantedFolder({ ...choice, user: null }), otherFolder({ ...choice, user: null })];
  const removable: string[] = [];
  for (const place of places) {
    if (!(await exists(place))) continue;
    const ours = place === places[1] || (await exists(join(place, MARKER)));
    const paths = ours ? [place] : ENTRIES.map((name) => join(place, name));
    for (const path of paths) if (await exists(path)) removable.push(path);
  }
  return removable;
}

/** The folders that `dataFolder` may return for this choice, to ask whether a stack runs on one of them. */
export function possibleDataFolders(choice: Omit<DataFolderChoice, 'user'>): string[] {
  return [wantedFolder({ ...choice, user: null }), otherFolder({ ...choice, user: null })];
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
