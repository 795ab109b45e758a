import { getEventListeners } from 'node:events';
import { TimedOut, withOwnSignal, withTimeout } from '../../runtime/network/time-limit';

const never = new Promise<never>(() => undefined);

describe('withTimeout', () => {
  test('returns the result of work that finishes in time', async () => {
    expect(await withTimeout(60_000, Promise.resolve('done'))).toBe('done');
  });

  test('rejects with the error of work that fails in time', async () => {
    await expect(withTimeout(60_000, Promise.reject(new Error('it failed')))).rejects.toThrow('it failed');
  });

  test('rejects when the work takes too long', async () => {
    await expect(withTimeout(1, never)).rejects.toThrow(TimedOut);
  });

  test('returns the result of onTimeout when the work takes too long', async () => {
    expect(await withTimeout(1, never, () => 'late')).toBe('late');
  });

  test('does not call onTimeout for work that finishes in time', async () => {
    const onTimeout = jest.fn();
    await withTimeout(1, Promise.resolve(), onTimeout);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(onTimeout).not.toHaveBeenCalled();
  });

  test('ignores an error that occurs after the limit', async () => {
    let fail: (error: Error) => void = () => undefined;
    const work = new Promise<never>((_resolve, reject) => (fail = reject));
    expect(await withTimeout(1, work, () => 'late')).toBe('late');
    fail(new Error('too late'));
    await new Promise(setImmediate);
  });
});

describe('withOwnSignal', () => {
  test('aborts the signal when the outer one is aborted, with the same reason', async () => {
    const outer = new AbortController();
    const reason = await withOwnSignal(outer.signal, async (own) => {
      outer.abort('the caller left');
      return Promise.resolve(own.reason as unknown);
    });
    expect(reason).toBe('the caller left');
  });

  test('aborts the signal immediately if the outer one is already aborted', async () => {
    expect(await withOwnSignal(AbortSignal.abort(), (own) => Promise.resolve(own.aborted))).toBe(true);
  });

  test.each([
    ['ends', () => Promise.resolve()],
    ['fails', () => Promise.reject(new Error('it failed'))],
  ])('aborts the signal when the work %s, and leaves no listener', async (_how, work) => {
    const outer = new AbortController();
    let signal: AbortSignal | undefined;
    await withOwnSignal(outer.signal, (own) => {
      signal = own;
      return work();
    }).catch(() => undefined);
    expect(signal?.aborted).toBe(true);
    expect(getEventListeners(outer.signal, 'abort')).toEqual([]);
  });
});
