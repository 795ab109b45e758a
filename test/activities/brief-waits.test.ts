import { briefWaits, type BriefWaits } from '../../activities/brief-waits';
import { atOnceWith } from '../../worker/slots';

const SOON_MS = 5;

let warnings: [object, string][];
let waits: BriefWaits;

const open = (max = 4, limitMs = SOON_MS): BriefWaits =>
  briefWaits({ max, limitMs, log: { warn: (fields, sentence) => void warnings.push([fields, sentence]) } });
beforeEach(() => {
  warnings = [];
  waits = open();
});

function later<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (error: Error) => void } {
  let [resolve, reject]: [(value: T) => void, (error: Error) => void] = [() => undefined, () => undefined];
  const promise = new Promise<T>((done, failed) => ([resolve, reject] = [done, failed]));
  return { promise, resolve, reject };
}

test('returns the result or throws the error of work that finishes in time', async () => {
  waits = open(4, 60_000);
  const wait = waits.begin('a');
  expect(await wait?.until(() => Promise.resolve(7))).toEqual({ kind: 'done', value: 7 });
  await expect(wait?.until(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  wait?.end();
  expect(waits.begin('a')).not.toBeNull();
});

test('lets late work continue, and waits for it before the worker closes', async () => {
  const { promise, resolve } = later<number>();
  const wait = waits.begin('a');
  expect(await wait?.until(() => promise)).toEqual({ kind: 'late' });
  wait?.end();
  let isSettled = false;
  const settled = waits.drained().then(() => (isSettled = true));
  await Promise.resolve();
  expect(isSettled).toBe(false);
  resolve(7);
  await settled;
});

test('logs only the error code when late work fails', async () => {
  const { promise, reject } = later<never>();
  await waits.begin('a')?.until(() => promise);
  reject(new TypeError('https://receiver.example/secret'));
  await waits.drained();
  expect(warnings).toEqual([[{ error: 'TypeError' }, 'a request failed after its brief wait was over']]);
});

test('leaves a slow service to regular activities until it responds quickly, without affecting other services', async () => {
  const isWaitedFor = (peer: string): boolean => {
    const wait = waits.begin(peer);
    wait?.end();
    return wait !== null;
  };
  const { promise, resolve } = later<number>();
  const asked = waits.timed('a', () => promise);
  while (isWaitedFor('a')) await new Promise((done) => setTimeout(done, 1));
  expect(isWaitedFor('b')).toBe(true);
  resolve(7);
  expect(await asked).toBe(7);
  expect(isWaitedFor('a')).toBe(false);
  await waits.timed('a', () => Promise.resolve());
  expect(isWaitedFor('a')).toBe(true);
});

test('limits the waits per service and in total, and frees the slot of a wait that ends', () => {
  const first = waits.begin('a', { perOwner: 1 });
  expect(waits.begin('a', { perOwner: 1 })).toBeNull();
  const others = ['b', 'c', 'd'].map((peer) => waits.begin(peer));
  expect([first, ...others]).not.toContain(null);
  expect(waits.begin('e')).toBeNull();
  first?.end();
  expect(waits.begin('e')).not.toBeNull();
});

test.each([8, 40, 100, 1_000])(
  'leaves some of %i workflow-task slots free when all dials and brief waits are in use',
  (slots) => {
    const each = atOnceWith({ workflowTasks: slots, localActivities: slots, activities: slots });
    expect(each.dials + each.briefWaits).toBeLessThan(slots);
    expect(each.deliveries + each.preparations).toBeLessThan(slots);
    expect(Math.min(...Object.values(each))).toBeGreaterThan(0);
  },
);
