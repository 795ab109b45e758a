import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSimulatorLog, readSimulatorLog, type LogEntry } from '../../../dev/simulator/log';

const entry = (number: string): LogEntry => ({
  kind: 'route',
  at: '2026-11-20T10:00:00.000Z',
  number,
  route: null,
});

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'simulator-log-'));
  path = join(folder, 'log.jsonl');
});

afterEach(() => rmSync(folder, { recursive: true }));

test('reads a missing log of the simulator as empty', () => {
  expect(readSimulatorLog(path)).toEqual([]);
});

test("reads the simulator's log while it is open and appends to it later", () => {
  const first = openSimulatorLog(path);
  first.write(entry('1'), entry('2'));
  expect(readSimulatorLog(path)).toEqual([entry('1'), entry('2')]);
  first.close();
  const second = openSimulatorLog(path);
  second.write(entry('3'));
  second.close();
  expect(readSimulatorLog(path)).toEqual([entry('1'), entry('2'), entry('3')]);
});

test("loses no other log entry because of a killed process's incomplete line", () => {
  appendFileSync(path, `${JSON.stringify(entry('1'))}\n{"kind":"rou`);
  const log = openSimulatorLog(path);
  log.write(entry('2'));
  log.close();
  expect(readSimulatorLog(path)).toEqual([entry('1'), entry('2')]);
});
