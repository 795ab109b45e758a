import { readdir, readFile, readlink } from 'node:fs/promises';
import { commandLine } from '../process-identity';

const LISTENING = '0A';

/** Who listens on a TCP port, as far as the system lets us see (Linux; processes of other users only as root); null else. */
export async function listenerOn(port: number): Promise<{ pid: number; command: string } | null> {
  const sockets = await listeningSockets(port);
  if (sockets.size === 0) return null;
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    if (await holdsOne(pid, sockets)) {
      return { pid: Number(pid), command: (await commandLine(Number(pid))) ?? '' };
    }
  }
  return null;
}

/** As their links in /proc name them. */
async function listeningSockets(port: number): Promise<Set<string>> {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((table) => readFile(table, 'utf8').catch(() => '')),
  );
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  const rows = tables.flatMap((table) => table.trim().split('\n').slice(1));
  return new Set(
    rows.flatMap((row) => {
      const [, local = '', , state, , , , , , inode] = row.trim().split(/\s+/);
      return state === LISTENING && local.endsWith(`:${wanted}`) ? [`socket:[${inode}]`] : [];
    }),
  );
}

async function holdsOne(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  // A process that has ended meanwhile, or that is another user's.
  const names = await readdir(folder).catch(() => []);
  const links = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
  return links.some((link) => sockets.has(link));
}
