import { WorkflowNotFoundError } from '@temporalio/common';
import { CatchUp, type CatchUpClient } from '../../runtime/catch-up';

describe('CatchUp', () => {
  const started: { type: string; workflowId: string; args: unknown[] }[] = [];
  const warnings: string[] = [];
  let isUnreachable: boolean;
  let signalFails: Error | null;
  let catchUp: CatchUp;

  const client: CatchUpClient = {
    start: (type, { workflowId, args }) => {
      if (isUnreachable) return Promise.reject(new Error('connect ECONNREFUSED'));
      return Promise.resolve(started.push({ type, workflowId, args }));
    },
    getHandle: () => ({
      signal: () => (signalFails === null ? Promise.resolve() : Promise.reject(signalFails)),
    }),
  };

  beforeEach(() => {
    jest.useFakeTimers();
    started.length = 0;
    warnings.length = 0;
    isUnreachable = false;
    signalFails = null;
    catchUp = new CatchUp(client, { warn: (_fields, text) => void warnings.push(text) });
  });
  afterEach(() => {
    catchUp.stop();
    jest.useRealTimers();
  });

  test('runs reconciliation once for many concurrent requests', async () => {
    for (let n = 0; n < 50; n++) catchUp.request();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(started).toHaveLength(1);
    expect(started[0]).toMatchObject({ type: 'reconcileWorkflow', args: [{ afterOutage: true }] });
  });

  test('runs reconciliation again for a later request, under another id', async () => {
    catchUp.request();
    await jest.advanceTimersByTimeAsync(500);
    catchUp.request();
    await jest.advanceTimersByTimeAsync(500);
    expect(new Set(started.map(({ workflowId }) => workflowId)).size).toBe(2);
  });

  test('limits endless requests to the pace of the schedule, and reacts quickly again after a quiet period', async () => {
    const asking = setInterval(() => catchUp.request(), 100);
    await jest.advanceTimersByTimeAsync(30_000);
    const before = started.length;
    await jest.advanceTimersByTimeAsync(60_000);
    clearInterval(asking);
    expect(started.length - before).toBeLessThanOrEqual(7);
    expect(started.length - before).toBeGreaterThanOrEqual(5);
    await jest.advanceTimersByTimeAsync(25_000);
    const quiet = started.length;
    catchUp.request();
    await jest.advanceTimersByTimeAsync(500);
    expect(started).toHaveLength(quiet + 1);
  });

  test('retries until Temporal accepts the run, and then stops', async () => {
    isUnreachable = true;
    catchUp.request();
    await jest.advanceTimersByTimeAsync(1_750);
    expect([started.length, warnings.length]).toEqual([0, 3]);
    isUnreachable = false;
    await jest.advanceTimersByTimeAsync(10_000);
    expect([started.length, warnings.length]).toEqual([1, 3]);
  });

  test('runs no reconciliation and accepts no request after stop()', async () => {
    catchUp.request();
    catchUp.stop();
    catchUp.request();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(started).toEqual([]);
  });

  test('stops retrying after stop() while Temporal is unreachable', async () => {
    isUnreachable = true;
    catchUp.request();
    await jest.advanceTimersByTimeAsync(600);
    catchUp.stop();
    isUnreachable = false;
    await jest.advanceTimersByTimeAsync(5_000);
    expect(started).toEqual([]);
  });

  describe('a signal sent with CatchUp', () => {
    const signal = () => catchUp.signals.getHandle('call').signal('lineGranted');

    test('starts no reconciliation when the signal is delivered', async () => {
      await signal();
      await jest.advanceTimersByTimeAsync(5_000);
      expect(started).toEqual([]);
    });

    test('starts reconciliation when the signal is lost, and still throws the error', async () => {
      signalFails = new Error('connect ECONNREFUSED');
      await expect(signal()).rejects.toBe(signalFails);
      await jest.advanceTimersByTimeAsync(500);
      expect(started).toHaveLength(1);
    });

    test('starts no reconciliation when the signalled workflow has completed', async () => {
      signalFails = new WorkflowNotFoundError('workflow execution already completed', 'call', undefined);
      await expect(signal()).rejects.toBe(signalFails);
      await jest.advanceTimersByTimeAsync(5_000);
      expect(started).toEqual([]);
    });
  });
});
