import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { standStill, starve } from '../../../verify/faults/stall';
import { waitUntil } from '../../../dev/stack/wait-until';

/** Prints the id of its child once the child runs. Both count forever. */
const PROGRAM = `
const { spawn } = require('node:child_process');
const child = spawn(process.execPath, ['-e', 'setInterval(() => process.stdout.write("."), 5)'], { stdio: ['ignore', 'pipe', 'inherit'] });
process.stdout.write(child.pid + "\\n");
let own = 0, childs = 0;
child.stdout.on('data', (data) => (childs += data.length));
setInterval(() => process.stdout.write(++own + " " + childs + "\\n"), 5);
`;

describe('a stalled process', () => {
  let parent: ChildProcess;
  let lines: string[];
  beforeEach(async () => {
    parent = spawn(process.execPath, ['-e', PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'] });
    lines = [];
    parent.stdout?.setEncoding('utf8').on('data', (text: string) => lines.push(...text.trim().split('\n')));
    await counting();
  });
  afterEach(async () => {
    const ended = once(parent, 'exit');
    kill(Number(lines[0]));
    parent.kill('SIGKILL');
    await ended;
  });

  const counts = (): number[] => (lines.at(-1) ?? '').split(' ').map(Number);
  /** Waits until the counts of parent and child have risen. */
  async function counting(): Promise<void> {
    const [own = 0, childs = 0] = lines.length > 1 ? counts() : [];
    await waitUntil({
      what: 'counting',
      timeoutMs: 20_000,
      check: () =>
        Promise.resolve(lines.length > 1 && (counts()[0] ?? 0) > own + 3 && (counts()[1] ?? 0) > childs + 3),
    });
  }

  test('stops and resumes a process and its children', async () => {
    const pids = [parent.pid ?? 0, Number(lines[0])];
    const holding = standStill(parent.pid ?? 0, 2_000);
    await waitUntil({
      what: 'standing still',
      timeoutMs: 20_000,
      check: () => Promise.resolve(pids.every((pid) => stateOf(pid).startsWith('T'))),
    });
    await holding;
    await counting();
  });

  test('resumes a process after starvation', async () => {
    await starve(parent.pid ?? 0, 500);
    await counting();
  });

  test('tolerates a process that ends during the stall', async () => {
    const holding = standStill(parent.pid ?? 0, 300);
    kill(Number(lines[0]));
    await expect(holding).resolves.toBeUndefined();
  });
});

/** Does nothing if the process has already ended. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' });
  }
}

/** Returns `T` for a stopped process. */
function stateOf(pid: number): string {
  if (process.platform !== 'linux')
    return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2);
}
