import { circuit } from '../../activities/dialling/do-not-disturb/registry-check';

let elapsed: number;
const opened = () => circuit({ failuresInARow: 3, pauseMs: 10_000, elapsedMs: () => elapsed });
beforeEach(() => {
  elapsed = 500;
});

test('allows requests while failures are below the limit, and restarts the count after a response', () => {
  const line = opened();
  expect([line.failed(), line.failed(), line.mayAsk()]).toEqual([false, false, true]);
  line.answered();
  expect([line.failed(), line.failed(), line.mayAsk()]).toEqual([false, false, true]);
});

test('pauses requests for exactly the configured time when the failure limit is reached', () => {
  const line = opened();
  expect([line.failed(), line.failed(), line.failed()]).toEqual([false, false, true]);
  expect(line.mayAsk()).toBe(false);
  elapsed += 9_999;
  expect(line.mayAsk()).toBe(false);
  elapsed += 1;
  expect(line.mayAsk()).toBe(true);
});

test('allows one request after the pause, and all others once it succeeds', () => {
  const line = opened();
  for (let n = 0; n < 3; n++) line.failed();
  elapsed += 10_000;
  expect([line.mayAsk(), line.mayAsk(), line.mayAsk()]).toEqual([true, false, false]);
  line.answered();
  expect([line.mayAsk(), line.mayAsk()]).toEqual([true, true]);
});

test('pauses again if the one request after the pause fails', () => {
  const line = opened();
  for (let n = 0; n < 3; n++) line.failed();
  elapsed += 10_000;
  expect([line.mayAsk(), line.failed(), line.mayAsk()]).toEqual([true, true, false]);
  elapsed += 10_000;
  expect(line.mayAsk()).toBe(true);
});

test('allows another request after one more pause if the first one never returns a result', () => {
  const line = opened();
  for (let n = 0; n < 3; n++) line.failed();
  elapsed += 10_000;
  line.mayAsk();
  elapsed += 10_000;
  expect(line.mayAsk()).toBe(true);
});
