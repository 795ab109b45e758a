import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Clocks } from '../../../verify/faults/clock/clocks';
import { Evidence } from '../../../verify/faults/evidence';
import { repositoryRoot } from '../../../dev/stack/repository';

const PRELOAD = join(repositoryRoot(), 'dist/verify/faults/clock/shifted-clock.js');

/** Prints the current time whenever it reads a line. */
const READER = `
process.stdin.on('data', () => {
  const server = require('http').createServer((request, response) => response.end());
  server.listen(0, '127.0.0.1', async () => {
    const answer = await fetch('http://127.0.0.1:' + server.address().port);
    server.closeAllConnections();
    server.close();
    console.log(JSON.stringify({
      now: Date.now(), made: new Date().getTime(), called: Date.parse(Date()), header: Date.parse(answer.headers.get('date')),
      given: new Date(5).getTime(), isDate: new Date() instanceof Date, own: new Date().constructor === Date,
      monotonic: performance.timeOrigin + performance.now(),
    }));
  });
});`;

describe('a process whose clock is shifted', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shifted-clock-'));
  const clocks = new Clocks(join(folder, 'clocks'), PRELOAD, new Evidence(join(folder, 'evidence')));
  clocks.begin('worker', -600_000);
  const child = spawn(process.execPath, ['-e', READER], {
    env: { PATH: process.env.PATH, ...clocks.environment('worker') },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  afterAll(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  async function times(): Promise<any> {
    child.stdin.write('\n');
    const [line] = await once(child.stdout, 'data');
    return JSON.parse(line.toString());
  }
  const isShiftedBy = (seen: any, offsetMs: number) =>
    Math.abs(seen.now - seen.monotonic - offsetMs) < 30_000;

  test('shows the shifted time everywhere except in durations', async () => {
    const seen = await times();
    expect(isShiftedBy(seen, -600_000)).toBe(true);
    for (const other of [seen.made, seen.called, seen.header]) {
      expect(Math.abs(other - seen.now)).toBeLessThan(30_000);
    }
    expect(seen).toMatchObject({ given: 5, isDate: true, own: true });
  });

  test('shifts the clock on request and records when it did', async () => {
    const fromMs = clocks.shift('worker', 300_000);
    let seen = await times();
    while (!isShiftedBy(seen, 300_000)) seen = await times();
    expect(seen.now).toBeGreaterThanOrEqual(fromMs + 300_000);
    const lines = readFileSync(join(folder, 'evidence', 'clock.jsonl'), 'utf8')
      .trim()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ process: 'worker', offset_ms: -600_000 }),
      { at: new Date(fromMs).toISOString(), process: 'worker', offset_ms: 300_000 },
    ]);
  });
});
