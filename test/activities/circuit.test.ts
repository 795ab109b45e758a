import { circuit } from '../../activities/dialling/do-not-disturb/circuit';

let elapsed: number;
const opened = () => circuit({ failuresInARow: 3, pauseMs: 10_000, elapsedMs: () => elapsed });
beforeEach(() => {
  elapsed = 500;
});

test('failures below the limit stop nobody, and an answer starts the count anew', () => {
  const line = opened();
  expect([line.failed(), line.failed(), line.mayAsk()]).toEqual([false, false, true]);
  line.answered();
  expect([line.failed(), line.failed(), line.mayAsk()]).toEqual([false, false, true]);
});

test('as many failures as the limit begin a pause, to the millisecond', () => {
  const line = opened();
  expect([line.failed(), line.failed(), line.failed()]).toEqual([false, false, true]);
  expect(line.mayAsk()).toBe(false);
  elapsed += 9_999;
  expect(line.mayAsk()).toBe(false);
  elapsed += 1;
  expect(line.mayAsk()).toBe(true);
});

test('after the pause one asks while the others wait, and its answer lets all in', () => {
  const line = opened();
  for (let n = 0; n < 3; n++) line.failed();
  elapsed += 10_000;
  expect([line.mayAsk(), line.mayAsk(), line.mayAsk()]).toEqual([true, false, false]);
  line.answered();
  expect([line.mayAsk(), line.mayAsk()]).toEqual([true, true]);
});

test('one that asks after the pause and fails begins the next', () => {
  const line = opened();
  for (let n = 0; n < 3; n++) line.failed();
  elapsed += 10_000;
  expect([line.mayAsk(), line.failed(), line.mayAsk()]).toEqual([true, true, false]);
  elapsed += 10_000;
  expect(line.mayAsk()).toBe(true);
});

test('one that asks after the pause and never reports back keeps the others waiting for one more pause only', () => {
  const line = opened();
  for (let n = 0; n < 3; n++) line.failed();
  elapsed += 10_000;
  line.mayAsk();
  elapsed += 10_000;
  expect(line.mayAsk()).toBe(true);
});
