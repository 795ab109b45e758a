import { join } from 'node:path';
import EndOfTurnRunner from '../../../agent/worker/end-of-turn-runner';

const FIVE_MINUTES_MS = 300_000;

let runner: EndOfTurnRunner;

beforeEach(() => {
  runner = new EndOfTurnRunner(join(__dirname, '..', 'support', 'model-process.js'));
});
afterEach(async () => {
  jest.useRealTimers();
  await runner.close();
});

/** Returns the id of the process that answers. */
const answering = async (): Promise<number> => ((await runner.run({ pcm: '' })) as { pid: number }).pid;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe("the model's process", () => {
  test('answers all requests from one process', async () => {
    const answered = await Promise.all([answering(), answering()]);
    expect(new Set([...answered, await answering()]).size).toBe(1);
  });

  test('ends the process after five minutes without a request, and starts it again for the next one', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const first = await answering();
    jest.advanceTimersByTime(FIVE_MINUTES_MS - 1);
    expect(await answering()).toBe(first);
    jest.advanceTimersByTime(FIVE_MINUTES_MS);
    expect(await answering()).not.toBe(first);
    while (isAlive(first)) await new Promise((resolve) => setImmediate(resolve));
  });

  test('replaces the process after a crash, which fails the waiting requests', async () => {
    const first = await answering();
    await expect(runner.run({ pcm: 'end' })).rejects.toThrow("the model's process has ended");
    expect(await answering()).not.toBe(first);
  });
});
