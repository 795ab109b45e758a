import { forEachAtOnce, Shares, type ShareLimits } from '../../runtime/shares';

const sharesOf = (limits: Partial<ShareLimits> = {}) =>
  new Shares({ max: 2, maxPerOwner: 2, waiting: 10, waitingPerOwner: 10, waitMs: 60_000, ...limits });

/** Resolves once all work that can start has started. */
const allStarted = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Starts work that ends when the test ends it. */
function held(shares: Shares, owner: string, started: string[]) {
  let end: () => void = () => undefined;
  const done = shares.run(owner, () => {
    started.push(owner);
    return new Promise<string>((resolve) => (end = () => resolve(owner)));
  });
  return { done, end: () => end() };
}

test('runs as much work at once as there are units', async () => {
  const started: string[] = [];
  const shares = sharesOf();
  const all = ['a', 'b', 'c'].map((owner) => held(shares, owner, started));
  await allStarted();
  expect(started).toEqual(['a', 'b']);
  all[0]?.end();
  await all[0]?.done;
  await allStarted();
  expect(started).toEqual(['a', 'b', 'c']);
});

test('serves other organizations while many requests of one are queued', async () => {
  const started: string[] = [];
  const shares = sharesOf({ max: 1 });
  const ofA = Array.from({ length: 5 }, () => held(shares, 'a', started));
  const ofB = held(shares, 'b', started);
  await allStarted();
  ofA[0]?.end();
  await ofA[0]?.done;
  await allStarted();
  ofA[1]?.end();
  await ofA[1]?.done;
  await allStarted();
  expect(started).toEqual(['a', 'a', 'b']);
  ofB.end();
  expect(await ofB.done).toBe('b');
  await allStarted();
  expect(started).toEqual(['a', 'a', 'b', 'a']);
});

test('keeps a unit free for others while one organization has its share', async () => {
  const started: string[] = [];
  const shares = sharesOf({ maxPerOwner: 1 });
  held(shares, 'a', started);
  held(shares, 'a', started);
  const ofB = held(shares, 'b', started);
  await allStarted();
  expect(started).toEqual(['a', 'b']);
  ofB.end();
  expect(await ofB.done).toBe('b');
});

test('accepts work of another organization when the queue of one is full', async () => {
  const started: string[] = [];
  const shares = sharesOf({ max: 1, waitingPerOwner: 2 });
  const first = held(shares, 'a', started);
  const second = held(shares, 'a', started);
  held(shares, 'a', started);
  expect(await held(shares, 'a', started).done).toBeNull();
  const ofB = shares.run('b', () => Promise.resolve('served'));
  await allStarted();
  first.end();
  await first.done;
  await allStarted();
  second.end();
  expect(await ofB).toBe('served');
});

test('rejects work when too many requests of all organizations wait', async () => {
  const started: string[] = [];
  const shares = sharesOf({ max: 1, waiting: 1 });
  held(shares, 'a', started);
  held(shares, 'b', started);
  expect(await held(shares, 'c', started).done).toBeNull();
});

test('rejects work that has waited too long, and starts the work behind it', async () => {
  const started: string[] = [];
  const shares = sharesOf({ max: 1, waitMs: 1 });
  const first = held(shares, 'a', started);
  expect(await held(shares, 'a', started).done).toBeNull();
  await allStarted();
  first.end();
  await first.done;
  await allStarted();
  expect(await shares.run('a', () => Promise.resolve('in time'))).toBe('in time');
});

test('releases the unit when its work fails', async () => {
  const shares = sharesOf({ max: 1 });
  await expect(shares.run('a', () => Promise.reject(new Error('it failed')))).rejects.toThrow('it failed');
  expect(await shares.run('a', () => Promise.resolve('next'))).toBe('next');
});

describe('units taken from Shares', () => {
  test('rejects units beyond the share of one organization and beyond the total', () => {
    const bytes = sharesOf({ max: 100, maxPerOwner: 60 });
    expect(bytes.take('a', { units: 61 })).toBeNull();
    expect(bytes.take('a', { units: 60 })).not.toBeNull();
    expect(bytes.take('b', { units: 41 })).toBeNull();
    expect(bytes.take('b', { units: 40 })).not.toBeNull();
    expect(bytes.take('b', { units: 0 })).not.toBeNull();
  });

  test('releases units only once, even if release() is called repeatedly', () => {
    const bytes = sharesOf({ max: 100, maxPerOwner: 100 });
    const release = bytes.take('a', { units: 60 });
    bytes.take('a', { units: 40 });
    release?.();
    release?.();
    expect(bytes.take('b', { units: 61 })).toBeNull();
    expect(bytes.take('b', { units: 60 })).not.toBeNull();
  });

  test('allows a smaller share than maxPerOwner for one take()', () => {
    const bytes = sharesOf({ max: 100, maxPerOwner: 60 });
    expect(bytes.take('a', { units: 2, maxPerOwner: 1 })).toBeNull();
  });
});

describe('forEachAtOnce', () => {
  test('processes every item, and no more at once than allowed', async () => {
    const done: number[] = [];
    let underWay = 0;
    let max = 0;
    await forEachAtOnce(2, [1, 2, 3, 4, 5], async (item) => {
      max = Math.max(max, (underWay += 1));
      await allStarted();
      underWay -= 1;
      done.push(item);
    });
    expect(max).toBe(2);
    expect(done).toEqual([1, 2, 3, 4, 5]);
  });

  test('rejects with an error only after the remaining work has finished', async () => {
    const done: number[] = [];
    const all = forEachAtOnce(2, [1, 2, 3], async (item) => {
      if (item === 1) throw new Error('it failed');
      await allStarted();
      done.push(item);
    });
    await expect(all).rejects.toThrow('it failed');
    expect(done).toEqual([2, 3]);
  });
});
