import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/**
 * Distinguishes one process from a later one that was given the same number: boot and start time of `pid`.
 * Null when no such process runs (one that has ended but was not collected yet counts as gone).
 */
export async function processIdentity(pid: number): Promise<string | null> {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

/** True while the very process runs that had this identity, not another one with its number. */
export async function isRunning(pid: number, identity: string): Promise<boolean> {
  return (await processIdentity(pid)) === identity;
}

async function fromProc(pid: number): Promise<string | null> {
  let stat: string;
  try {
    stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The name in brackets may itself hold blanks and brackets: count from the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, startedAt] = [fields[0], fields[19]];
  if (state === 'Z' || state === 'X' || startedAt === undefined) return null;
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  return `${boot.trim()}/${startedAt}`;
}

async function fromPs(pid: number): Promise<string | null> {
  try {
    const { stdout } = await execute('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { timeout: 5000 });
    const [state = 'Z', ...startedAt] = stdout.trim().split(/\s+/);
    return state.startsWith('Z') ? null : startedAt.join(' ');
  } catch {
    return null;
  }
}

/** The command line of `pid`, blank-separated; null when it cannot be read. */
export async function commandLine(pid: number): Promise<string | null> {
  try {
    if (process.platform === 'linux') {
      return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
    }
    const { stdout } = await execute('ps', ['-o', 'command=', '-p', String(pid)], { timeout: 5000 });
    return stdout.trim();
  } catch {
    return null;
  }
}
