import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { followLiveCalls, type LiveCalls } from '../../../dev/demo/live-calls';
import { temporaryFolder } from '../temporary-folder';

const path = join(temporaryFolder(), 'simulator.jsonl');
const ONE = '+916100000001';
const placed = (call: string, to = ONE) => `${JSON.stringify({ kind: 'placed', carrier_id: call, to })}\n`;
const state = (call: string, name: string) =>
  `${JSON.stringify({ kind: 'state', carrier_id: call, to: ONE, state: name })}\n`;

let calls: LiveCalls;
beforeEach(() => {
  writeFileSync(path, placed('of-an-earlier-run'));
  calls = followLiveCalls(path, new Set([ONE]));
});
afterEach(() => calls.close());

test('counts a call as live from its placement to its end', () => {
  appendFileSync(path, placed('a') + placed('b') + state('a', 'answered'));
  expect(calls.count()).toBe(2);
  appendFileSync(path, state('a', 'ended'));
  expect(calls.count()).toBe(1);
});

test('ignores earlier log entries and calls to other numbers', () => {
  appendFileSync(path, placed('x', '+916100000101'));
  expect(calls.count()).toBe(0);
});

test('reads an incomplete log line once it is complete', () => {
  const line = placed('a');
  appendFileSync(path, line.slice(0, 20));
  expect(calls.count()).toBe(0);
  appendFileSync(path, line.slice(20));
  expect(calls.count()).toBe(1);
});
