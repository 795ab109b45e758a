import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClosingOrder } from '../../../dev/stack/closing';
import {
  claimDataFolder,
  DataFolderInUse,
  stopLeftOvers,
  writePidFile,
} from '../../../dev/stack/data-folder';
import { RunningProcess, type ProcessPlan, type Supervision } from '../../../dev/stack/processes';
import { waitUntil } from '../../../dev/stack/wait-until';
import { startWatchdog, type Watchdog } from '../../../dev/stack/watchdog';
import { processIdentity } from '../../../dev/process-identity';
import { temporaryFolder } from '../temporary-folder';

let folder: string;
let watchdog: Watchdog;

beforeEach(() => {
  folder = temporaryFolder();
  watchdog = startWatchdog();
});
afterEach(() => watchdog.stop());

function script(
  name: string,
  body: string,
  plan: Partial<ProcessPlan> = {},
  extra: Partial<Supervision> = {},
) {
  return new RunningProcess(
    {
      name,
      command: '/bin/sh',
      args: ['-c', body],
      env: { PATH: process.env.PATH },
      cwd: folder,
      ready: () => Promise.resolve(existsSync(join(folder, `${name}.ready`))),
      readyTimeoutMs: 5000,
      ...plan,
    },
    { logFolder: folder, runFolder: folder, watchdog, ...extra },
  );
}

const SERVE = 'sleep 60 & wait';

test('reports a process at once if it ends before it is ready, with its last lines of output', async () => {
  const broken = script('broken', 'echo the cellar is flooded; exit 3', { readyTimeoutMs: 60_000 });
  await expect(broken.start()).rejects.toThrow(/broken ended with status 3[^]*the cellar is flooded/);
});

test("names the program if it doesn't exist", async () => {
  const absent = script('absent', '', { command: '/nowhere/program' });
  await expect(absent.start()).rejects.toThrow(/absent could not be started[^]*ENOENT/);
});

test("stops a process that isn't ready in time", async () => {
  const slow = script('slow', `echo thinking; ${SERVE}`, { readyTimeoutMs: 3_000 });
  await expect(slow.start()).rejects.toThrow(/slow was not ready within 3 s[^]*thinking/);
  expect(slow.running).toBe(false);
});

test('kills a process that ignores SIGTERM and its children after the grace period', async () => {
  const body = "trap '' TERM; sleep 60 & echo $! > child; touch stubborn.ready; while :; do wait; done";
  const stubborn = script('stubborn', body, { graceMs: 100 });
  await stubborn.start();
  await stubborn.stop();
  const child = Number(readFileSync(join(folder, 'child'), 'utf8'));
  await waitUntil({
    what: 'the end of the child',
    check: async () => (await processIdentity(child)) === null,
    timeoutMs: 5000,
  });
  expect(stubborn.running).toBe(false);
});

test('reports an unexpected end and can restart the process', async () => {
  let report: (reason: string) => void = () => {};
  const unexpected = new Promise<string>((resolve) => (report = resolve));
  const server = script(
    'server',
    `touch server.ready; ${SERVE}`,
    {},
    { onUnexpectedEnd: (_process, reason) => report(reason) },
  );
  await server.start();
  process.kill(server.pid, 'SIGKILL');
  expect(await unexpected).toBe('was ended by SIGKILL');
  await server.start();
  expect(server.running).toBe(true);
  await server.stop();
});

test('closes resources in reverse order, even if one fails', async () => {
  const closed: string[] = [];
  const closing = new ClosingOrder();
  for (const what of ['database', 'server', 'client']) {
    closing.add(what, () => {
      closed.push(what);
      return what === 'server' ? Promise.reject(new Error('stuck')) : Promise.resolve();
    });
  }
  await expect(closing.close()).rejects.toThrow('not everything could be closed');
  expect(closed).toEqual(['client', 'server', 'database']);
});

test('stops the processes if their parent dies from kill -9', async () => {
  const parent = spawn(process.execPath, ['-r', '@swc-node/register', '-e', ''], { stdio: 'ignore' });
  parent.kill('SIGKILL');
  const child = spawn('/bin/sh', ['-c', SERVE], { detached: true, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  watchdog.watch(child.pid ?? 0, 'SIGTERM');
  // When a process dies, the system closes the pipe in the same way.
  watchdog.stop();
  await ended;
  expect(child.signalCode).toBe('SIGTERM');
});

test('stops a process left over from an earlier run, but not another process with a reused pid', async () => {
  const [leftOver, stranger] = [1, 2].map(() =>
    spawn('/bin/sh', ['-c', SERVE], { detached: true, stdio: 'ignore' }),
  );
  const ended = new Promise((resolve) => leftOver?.once('exit', resolve));
  await writePidFile(join(folder, 'worker.pid'), leftOver?.pid ?? 0, 'SIGTERM');
  const reused = JSON.stringify({ pid: stranger?.pid, identity: 'an earlier boot', stopSignal: 'SIGTERM' });
  writeFileSync(join(folder, 'api.pid'), reused);
  await stopLeftOvers(folder);
  await ended;
  expect(stranger?.exitCode).toBeNull();
  expect(stranger?.signalCode).toBeNull();
  stranger?.kill('SIGKILL');
});

test('allows only one owner of a data folder at a time', async () => {
  const release = await claimDataFolder(folder);
  await expect(claimDataFolder(folder)).rejects.toThrow(DataFolderInUse);
  await release();
  const again = await claimDataFolder(folder);
  await again();
});
