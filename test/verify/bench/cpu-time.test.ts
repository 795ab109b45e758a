import { databaseOf, readMachineBusyMs, readStat, treeCpuMs } from '../../../verify/bench/cpu-time';

const stat = (pid: number, name: string, parent: number, ticks: number[]) =>
  `${pid} (${name}) S ${parent} 1 1 0 -1 4194560 0 0 0 0 ${ticks.join(' ')} 20 0 1 0 100 0 0`;

test('adds user and system time of a process, including those of ended children', () => {
  expect(readStat(stat(42, 'node', 7, [1, 2, 3, 4]))).toEqual({ pid: 42, parent: 7, cpuMs: 100 });
});

test('parses a process name with spaces and parentheses', () => {
  expect(readStat(stat(42, 'postgres: a) (b c', 7, [5, 0, 0, 0]))).toEqual({ pid: 42, parent: 7, cpuMs: 50 });
});

test('adds the CPU time of descendants, but not of other processes', () => {
  const processes = [
    { pid: 1, parent: 0, cpuMs: 1000 },
    { pid: 10, parent: 1, cpuMs: 5 },
    { pid: 11, parent: 10, cpuMs: 20 },
    { pid: 12, parent: 11, cpuMs: 300 },
    { pid: 20, parent: 1, cpuMs: 7000 },
  ];
  expect(treeCpuMs(processes, 10)).toBe(325);
});

test('returns a CPU time of 0 for a process that no longer exists', () => {
  expect(treeCpuMs([], 10)).toBe(0);
});

test.each([
  ['postgres: platform temporal 127.0.0.1(45678) idle', 'temporal'],
  ['postgres: platform temporal_visibility 127.0.0.1(45678) INSERT', 'temporal_visibility'],
  ['postgres: checkpointer ', null],
  ['/bin/postgres -D /data', null],
])('reads from the process title %j the database %j', (title, database) => {
  expect(databaseOf(title)).toBe(database);
});

test("doesn't count idle time and I/O wait as busy", () => {
  const stat = 'cpu  100 20 30 9999 5000 4 6 50 7 8\ncpu0 1 2 3 4 5 6 7 8 9 10\n';
  expect(readMachineBusyMs(stat)).toBe(1600);
});
