import { run } from '../toolchain/run';

export type UnprivilegedUser = { name: string; uid: number; gid: number };

/** Returns the system user that runs Postgres, which doesn't run as root. Returns null if this process isn't root. */
export async function unprivilegedUser(uid = process.getuid?.()): Promise<UnprivilegedUser | null> {
  if (uid !== 0) return null;
  for (const name of ['postgres', 'nobody']) {
    const [userId, groupId] = await Promise.all([idOf('-u', name), idOf('-g', name)]);
    if (userId !== null && groupId !== null && userId !== 0) return { name, uid: userId, gid: groupId };
  }
  throw new Error(
    'Postgres does not run as root, and there is no user "postgres" or "nobody" to run it: ' +
      'start as an ordinary user, or set DATABASE_URL',
  );
}

async function idOf(flag: string, name: string): Promise<number | null> {
  const { code, output } = await run({ command: 'id', args: [flag, name], timeoutMs: 5000 });
  const id = /^\d+$/.exec(output.trim());
  return code === 0 && id !== null ? Number(id[0]) : null;
}

/** Tests as that user whether `path` is reachable. A parent folder with mode 0700, such as /root or a mktemp folder, prevents it. */
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
