import { whileReporting } from '../../../verify/bench/while-reporting';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('long work says how far it is and how fast it went, and no more once it is done', async () => {
  const said: string[] = [];
  let done = 0;
  const working = whileReporting(
    (line) => said.push(line.trim()),
    100,
    () => done,
    () => new Promise<void>((resolve) => setTimeout(resolve, 40_000)),
  );
  done = 30;
  await jest.advanceTimersByTimeAsync(15_000);
  done = 90;
  await jest.advanceTimersByTimeAsync(15_000);
  await jest.advanceTimersByTimeAsync(60_000);
  await working;
  expect(said).toEqual([
    '30 of 100 calls are over and delivered, 2.0 a second',
    '90 of 100 calls are over and delivered, 4.0 a second',
  ]);
});
