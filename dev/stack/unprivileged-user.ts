import { run } from '../toolchain/run';

export type UnprivilegedUser = { name: string; uid: number; gid: number };

/**
 * The user that Postgres runs as when we are root, which it refuses: the system's `postgres` where there is
 * one, else `nobody`. Null for ordinary users, who run it as themselves.
 */
export async function unprivilegedUser(uid = process.getuid?.()): Promise<UnprivilegedUser | null> {
  if (uid !== 0) return null;
  for (const name of ['postgres', 'nobody']) {
    const [userId, groupId] = await Promise.all([idOf('-u', name), idOf('-g', name)]);
    if (userId !== null && groupId !== null && userId !== 0) return { name, uid: userId, gid: groupId };
  }
  throw new Error(
    'Postgres does not run as root, and neither a user "postgres" nor "nobody" exists to run it as: ' +
      'start as an ordinary user, or set DATABASE_URL',
  );
}

async function idOf(flag: string, name: string): Promise<number | null> {
  const { code, output } = await run({ command: 'id', args: [flag, name], timeoutMs: 5000 });
  const id = /^\d+$/.exec(output.trim());
  return code === 0 && id !== null ? Number(id[0]) : null;
}

/**
 * Whether the user can pass through to `path`, asked of the system itself by trying: folders above it with
 * mode 0700 (a clone under /root or in a mktemp folder) are what makes the answer no.
 */
export async function canReach(
  user: UnprivilegedUser | null,
  path: string,
  how: 'pass' | 'read' = 'pass',
): Promise<boolean> {
  if (user === null) return true;
  const { code } = await run({
    command: '/bin/sh',
    args: ['-c', `test -x "$1"${how === 'read' ? ' && test -r "$1"' : ''}`, 'sh', path],
    cwd: '/',
    user: { uid: user.uid, gid: user.gid },
    timeoutMs: 5000,
  });
  return code === 0;
}
