import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/**
 * Identifies a process by boot and start time, because its pid may be reused later. Returns null if the process doesn't run or is a zombie.
 */
export async function processIdentity(pid: number): Promise<string | null> {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

/** Returns true if the process with this pid still has this identity. */
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
  // The process name in brackets may itself contain spaces and brackets, so fields are counted from the last bracket.
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

/** Returns the command line of `pid` separated by spaces, or null if it can't be read. */
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
