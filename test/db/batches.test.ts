import { Batches, type BatchOptions } from '../../db/kernel/batches';

/** Returns batches that the test finishes by hand. */
function byHand(options: BatchOptions<string>) {
  const begun: { items: readonly string[]; succeed(): void; fail(error: Error): void }[] = [];
  const batches = new Batches<string, string>(
    (items) =>
      new Promise((resolve, reject) => {
        const results = items.map((item) => `${item} done`);
        begun.push({ items, succeed: () => resolve(results), fail: reject });
      }),
    options,
  );
  return { batches, begun };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('batches', () => {
  test('runs the first item immediately and later ones together', async () => {
    const { batches, begun } = byHand({ atOnce: 1, items: 10 });
    const results = ['a', 'b', 'c'].map((item) => batches.add(item));
    expect(begun.map(({ items }) => items)).toEqual([['a']]);
    begun[0]?.succeed();
    await settled();
    expect(begun.map(({ items }) => items)).toEqual([['a'], ['b', 'c']]);
    begun[1]?.succeed();
    expect(await Promise.all(results)).toEqual(['a done', 'b done', 'c done']);
  });

  test('limits the number and the size of batches', async () => {
    const { batches, begun } = byHand({ atOnce: 2, items: 2 });
    void ['a', 'b', 'c', 'd', 'e'].map((item) => batches.add(item));
    expect(begun.map(({ items }) => items)).toEqual([['a'], ['b']]);
    begun[1]?.succeed();
    await settled();
    begun[0]?.succeed();
    await settled();
    expect(begun.map(({ items }) => items)).toEqual([['a'], ['b'], ['c', 'd'], ['e']]);
  });

  test('runs each item of a failed batch alone, so that no item fails because of another', async () => {
    const { batches, begun } = byHand({ atOnce: 1, items: 10 });
    const results = ['a', 'b', 'c'].map((item) => batches.add(item).catch((error: Error) => error.message));
    begun[0]?.succeed();
    await settled();
    begun[1]?.fail(new Error('b or c is wrong'));
    await settled();
    begun[2]?.fail(new Error('b is wrong'));
    await settled();
    begun[3]?.succeed();
    expect(await Promise.all(results)).toEqual(['a done', 'b is wrong', 'c done']);
    expect(begun.slice(2).map(({ items }) => items)).toEqual([['b'], ['c']]);
  });

  test('isolates one bad item among five hundred in a few runs', async () => {
    let runs = 0;
    const batches = new Batches<number, number>(
      (items) => {
        runs++;
        return items.includes(321) ? Promise.reject(new Error('321 is wrong')) : Promise.resolve(items);
      },
      { atOnce: 1, items: 500, gatherMs: 60_000 },
    );
    const results = await Promise.allSettled(Array.from({ length: 500 }, (_each, n) => batches.add(n)));
    expect(results.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))).toEqual([321]);
    expect(runs).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(500)) + 1);
  });

  test('rejects all items at once while Postgres is unavailable, without running each alone', async () => {
    const { batches, begun } = byHand({ atOnce: 1, items: 10 });
    const results = ['a', 'b', 'c'].map((item) => batches.add(item).catch((error: Error) => error.message));
    begun[0]?.succeed();
    await settled();
    begun[1]?.fail(Object.assign(new Error('unreachable'), { code: 'ECONNREFUSED' }));
    expect(await Promise.all(results)).toEqual(['a done', 'unreachable', 'unreachable']);
    expect(begun).toHaveLength(2);
  });

  test('reruns the items of a deadlocked batch', async () => {
    const { batches, begun } = byHand({ atOnce: 1, items: 10, gatherMs: 60_000 });
    const results = ['a', 'b'].map((item) => batches.add(item));
    void batches.flush(() => true);
    begun[0]?.fail(Object.assign(new Error('deadlock'), { code: '40P01' }));
    await settled();
    begun[1]?.succeed();
    await settled();
    begun[2]?.succeed();
    expect(await Promise.all(results)).toEqual(['a done', 'b done']);
  });

  test('serves senders in rotation when more items wait than fit', async () => {
    const senderOf = (item: string) => item.slice(0, 1);
    const { batches, begun } = byHand({ atOnce: 1, items: 3, senderOf });
    void ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1', 'b2'].map((item) => batches.add(item));
    for (const nth of [0, 1, 2, 3]) {
      begun[nth]?.succeed();
      await settled();
    }
    expect(begun.map(({ items }) => items)).toEqual([['a1'], ['a2', 'b1', 'c1'], ['a3', 'a4', 'b2'], ['a5']]);
  });
});

describe('gathering batches', () => {
  const GATHER_MS = 500;
  const gathering = (items = 10) => byHand({ atOnce: 1, items, gatherMs: GATHER_MS });
  const runs = ({ begun }: ReturnType<typeof byHand>) => begun.map(({ items }) => items);
  const isSettled = async (promise: Promise<unknown>): Promise<boolean> => {
    let done = false;
    promise.then(
      () => (done = true),
      () => (done = true),
    );
    await jest.advanceTimersByTimeAsync(0);
    return done;
  };

  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  test('runs the items of one period together and in order', async () => {
    const rig = gathering();
    void rig.batches.add('b');
    await jest.advanceTimersByTimeAsync(GATHER_MS - 1);
    void rig.batches.add('a');
    void rig.batches.add('b');
    expect(runs(rig)).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(runs(rig)).toEqual([['b', 'a', 'b']]);
  });

  test('resolves an item only after its batch has run', async () => {
    const { batches, begun } = gathering();
    const added = batches.add('a');
    await jest.advanceTimersByTimeAsync(GATHER_MS);
    expect(await isSettled(added)).toBe(false);
    begun[0]?.succeed();
    await expect(added).resolves.toBe('a done');
  });

  test("starts an item added during a run once the run is over and the item's wait has passed", async () => {
    const rig = gathering();
    void rig.batches.add('a');
    await jest.advanceTimersByTimeAsync(GATHER_MS);
    void rig.batches.add('b');
    await jest.advanceTimersByTimeAsync(GATHER_MS);
    void rig.batches.add('c');
    expect(runs(rig)).toEqual([['a']]);
    rig.begun[0]?.succeed();
    await jest.advanceTimersByTimeAsync(0);
    expect(runs(rig)).toEqual([['a'], ['b', 'c']]);
    rig.begun[1]?.succeed();
    await jest.advanceTimersByTimeAsync(0);
    void rig.batches.add('d');
    await jest.advanceTimersByTimeAsync(GATHER_MS - 1);
    expect(runs(rig)).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(1);
    expect(runs(rig)[2]).toEqual(['d']);
  });

  test('starts a batch immediately when it is full', async () => {
    const rig = gathering(2);
    void rig.batches.add('a');
    void rig.batches.add('b');
    await jest.advanceTimersByTimeAsync(0);
    expect(runs(rig)).toEqual([['a', 'b']]);
  });

  test('starts all waiting items as soon as one with a shorter wait is due, but lets later items wait', async () => {
    const rig = gathering();
    void rig.batches.add('a');
    void rig.batches.add('b', 50);
    void rig.batches.add('c', 100);
    await jest.advanceTimersByTimeAsync(49);
    expect(runs(rig)).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(runs(rig)).toEqual([['a', 'b', 'c']]);
    rig.begun[0]?.succeed();
    void rig.batches.add('d');
    await jest.advanceTimersByTimeAsync(GATHER_MS - 1);
    expect(runs(rig)).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(runs(rig)[1]).toEqual(['d']);
  });

  describe('flush()', () => {
    const isA = (item: string) => item === 'a';

    test('starts the waiting items and resolves when they are done', async () => {
      const rig = gathering();
      void rig.batches.add('a');
      void rig.batches.add('b');
      const flushed = rig.batches.flush(isA);
      expect(await isSettled(flushed)).toBe(false);
      expect(runs(rig)).toEqual([['a', 'b']]);
      rig.begun[0]?.succeed();
      await flushed;
      await jest.advanceTimersByTimeAsync(GATHER_MS * 3);
      expect(runs(rig)).toHaveLength(1);
    });

    test('waits for items that are already running', async () => {
      const rig = gathering();
      void rig.batches.add('a');
      await jest.advanceTimersByTimeAsync(GATHER_MS);
      const flushed = rig.batches.flush(isA);
      expect(await isSettled(flushed)).toBe(false);
      rig.begun[0]?.succeed();
      await flushed;
    });

    test("lets items that don't match keep waiting", async () => {
      const rig = gathering();
      void rig.batches.add('b');
      await rig.batches.flush(isA);
      expect(runs(rig)).toEqual([]);
    });

    test('rejects if Postgres was unavailable for the matching items', async () => {
      const { batches, begun } = gathering();
      const added = batches.add('a').catch(() => 'rejected');
      const flushed = batches.flush(isA);
      begun[0]?.fail(Object.assign(new Error('unreachable'), { code: 'ECONNREFUSED' }));
      await expect(flushed).rejects.toThrow('unreachable');
      expect(await added).toBe('rejected');
    });

    test('resolves even if a matching item failed on its own', async () => {
      const { batches, begun } = gathering();
      const added = batches.add('a').catch((error: Error) => error.message);
      const flushed = batches.flush(isA);
      begun[0]?.fail(new Error('a is wrong'));
      await flushed;
      expect(await added).toBe('a is wrong');
    });
  });

  describe('runWith()', () => {
    const isA = (item: string) => item === 'a';
    const unreachable = Object.assign(new Error('unreachable'), { code: 'ECONNREFUSED' });
    /** Batches without results, which record their items. */
    function collecting(run: (items: readonly string[]) => void = () => undefined) {
      const ran: (readonly string[])[] = [];
      const batches = new Batches<string, void>(
        async (items) => {
          ran.push(items);
          await Promise.resolve(run(items));
          return [];
        },
        { atOnce: 1, items: 10, gatherMs: GATHER_MS },
      );
      return { batches, ran };
    }

    test('passes the matching items that wait, and resolves them with the run', async () => {
      const { batches, ran } = collecting();
      const added = [batches.add('a'), batches.add('b')];
      expect(await batches.runWith(isA, (items) => Promise.resolve(items))).toEqual(['a']);
      await added[0];
      expect(ran).toEqual([]);
      await jest.advanceTimersByTimeAsync(GATHER_MS);
      expect(ran).toEqual([['b']]);
    });

    test('waits for matching items that are running', async () => {
      let succeed = (): void => undefined;
      const { batches } = collecting(() => new Promise<void>((resolve) => (succeed = resolve)) as never);
      void batches.add('a');
      await jest.advanceTimersByTimeAsync(GATHER_MS);
      const run = batches.runWith(isA, (items) => Promise.resolve(items));
      expect(await isSettled(run)).toBe(false);
      succeed();
      expect(await run).toEqual([]);
    });

    test('waits for matching items that the next batch takes along', async () => {
      const succeed: (() => void)[] = [];
      const { batches, ran } = collecting(
        () => new Promise<void>((resolve) => void succeed.push(resolve)) as never,
      );
      void batches.add('a');
      await jest.advanceTimersByTimeAsync(GATHER_MS);
      void batches.add('a');
      await jest.advanceTimersByTimeAsync(GATHER_MS);
      const run = batches.runWith(isA, (items) => Promise.resolve(items));
      succeed[0]?.();
      expect(await isSettled(run)).toBe(false);
      expect(ran).toEqual([['a'], ['a']]);
      succeed[1]?.();
      expect(await run).toEqual([]);
    });

    test('repeats the run without the items if one of them is wrong', async () => {
      const { batches } = collecting((items) => {
        if (items.includes('a')) throw new Error('a is wrong');
      });
      const added = batches.add('a').catch((error: Error) => error.message);
      const run = batches.runWith(isA, (items) =>
        items.length > 0 ? Promise.reject(new Error('wrong')) : Promise.resolve('done'),
      );
      expect([await run, await added]).toEqual(['done', 'a is wrong']);
    });

    test('rejects the items and itself if Postgres is unavailable', async () => {
      const { batches, ran } = collecting();
      const added = batches.add('a').catch((error: Error) => error.message);
      await expect(batches.runWith(isA, () => Promise.reject(unreachable))).rejects.toThrow('unreachable');
      expect([await added, ran]).toEqual(['unreachable', []]);
    });
  });
});
