import { DialWakeUps } from '../../api/dependencies/dial-wake-ups';

/** Workers in memory. `listening` can change, and `undialled` are the stages of calls whose dial has no result. */
function wakeUps(listening: string[], failure?: () => Promise<never>) {
  const undialled = new Map<string, 'granted' | 'preparing' | 'requested'>();
  const [woken, signalled]: [[string, string][], string[]] = [[], []];
  const dials = new DialWakeUps({
    workers: {
      wake: (callIds) => {
        const [worker] = listening;
        if (worker === undefined) return Promise.resolve([]);
        woken.push(...callIds.map((callId): [string, string] => [worker, callId]));
        return Promise.resolve([{ worker, callIds: [...callIds] }]);
      },
      undialled: (asked) =>
        failure?.() ??
        Promise.resolve(
          asked.flatMap(({ callId, worker }) =>
            undialled.has(callId)
              ? [
                  {
                    callId,
                    isRequested: undialled.get(callId) === 'requested',
                    isListening: listening.includes(worker),
                    isPreparing: undialled.get(callId) === 'preparing',
                  },
                ]
              : [],
          ),
        ),
    },
    signals: { getHandle: (id) => ({ signal: () => Promise.resolve(void signalled.push(id)) }) },
    log: { warn: () => undefined },
  });
  return { dials, undialled, woken, signalled, dial: (...ids: string[]) => dials.signals.dial?.(ids) };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('wakes one worker per call, and signals no workflow if the call is dialled', async () => {
  const { dial, woken, signalled } = wakeUps(['one']);
  dial('call-1', 'call-2');
  await jest.advanceTimersByTimeAsync(5_000);
  expect(woken).toEqual([
    ['one', 'call-1'],
    ['one', 'call-2'],
  ]);
  expect(signalled).toEqual([]);
});

test('signals the workflow at once if no worker listens', async () => {
  const { dial, signalled } = wakeUps([]);
  dial('call-1');
  await jest.advanceTimersByTimeAsync(0);
  expect(signalled).toEqual(['call-1']);
});

/** Wakes worker `one` for a call in this stage, and replaces it by `two` before the first check. */
async function afterDeath(stage: 'granted' | 'requested') {
  const listening = ['one'];
  const { dial, undialled, woken, signalled } = wakeUps(listening);
  undialled.set('call-1', stage);
  dial('call-1');
  await jest.advanceTimersByTimeAsync(0);
  listening[0] = 'two';
  await jest.advanceTimersByTimeAsync(499);
  return { woken, signalled };
}

test('wakes another worker within half a second if the first one is gone', async () => {
  const { woken, signalled } = await afterDeath('granted');
  expect(woken).toEqual([
    ['one', 'call-1'],
    ['two', 'call-1'],
  ]);
  expect(signalled).toEqual([]);
});

test('signals the workflow if the worker is gone after it began to dial', async () => {
  const { woken, signalled } = await afterDeath('requested');
  expect(signalled).toEqual(['call-1']);
  expect(woken).toHaveLength(1);
});

test('signals the workflow after a second if Postgres does not respond to the checks', async () => {
  const { dial, signalled } = wakeUps(['one'], () => Promise.reject(new Error('no response')));
  dial('call-1');
  await jest.advanceTimersByTimeAsync(900);
  expect(signalled).toEqual([]);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(signalled).toEqual(['call-1']);
});

test('signals the workflow once, after a second, if the worker listens but does not dial', async () => {
  const { dial, undialled, woken, signalled } = wakeUps(['one']);
  undialled.set('call-1', 'granted');
  dial('call-1');
  await jest.advanceTimersByTimeAsync(900);
  expect(signalled).toEqual([]);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(signalled).toEqual(['call-1']);
  expect(woken).toHaveLength(1);
});

test('signals no workflow while the worker prepares the dial, and wakes another worker if it is gone by then', async () => {
  const listening = ['one'];
  const { dial, undialled, woken, signalled } = wakeUps(listening);
  undialled.set('call-1', 'preparing');
  dial('call-1');
  await jest.advanceTimersByTimeAsync(4_000);
  expect(woken).toHaveLength(1);
  listening[0] = 'two';
  await jest.advanceTimersByTimeAsync(500);
  expect(woken).toEqual([
    ['one', 'call-1'],
    ['two', 'call-1'],
  ]);
  expect(signalled).toEqual([]);
});

test('checks no call that the carrier has reported', async () => {
  const { dials, dial, undialled, signalled } = wakeUps(['one']);
  undialled.set('call-1', 'granted');
  dial('call-1');
  await jest.advanceTimersByTimeAsync(0);
  dials.dialled('call-1');
  await jest.advanceTimersByTimeAsync(5_000);
  expect(signalled).toEqual([]);
});
