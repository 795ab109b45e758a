import { readdir, readFile, readlink } from 'node:fs/promises';
import { commandLine } from '../process-identity';

/** Socket tables of the kernel (in /proc/net), with the state code of a receiving socket in each. */
const TABLES = { tcp: '0A', tcp6: '0A', udp: '07', udp6: '07' };

/** Returns the process that listens on a port, TCP or UDP; null if the system doesn't show it (not Linux, or another user's process). */
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

/** Returns socket names as the links below /proc/<pid>/fd spell them. */
async function listeningSockets(port: number): Promise<Set<string>> {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  const found = await Promise.all(
    Object.entries(TABLES).map(async ([table, receives]) => {
      const text = await readFile(`/proc/net/${table}`, 'utf8').catch(() => '');
      const rows = text.trim().split('\n').slice(1);
      return rows.flatMap((row) => {
        const [, local = '', , state, , , , , , inode] = row.trim().split(/\s+/);
        return state === receives && local.endsWith(`:${wanted}`) ? [`socket:[${inode}]`] : [];
      });
    }),
  );
  return new Set(found.flat());
}

async function holdsOne(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  // The process may have ended or belong to another user.
  const names = await readdir(folder).catch(() => []);
  const links = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
  return links.some((link) => sockets.has(link));
}
