import { Batches } from '../../db/kernel/batches';

/** Batches that are run by hand. */
function byHand(limits: { atOnce: number; items: number }) {
  const begun: { items: readonly string[]; succeed(): void; fail(error: Error): void }[] = [];
  const batches = new Batches<string, string>(
    (items) =>
      new Promise((resolve, reject) => {
        const results = items.map((item) => `${item} done`);
        begun.push({ items, succeed: () => resolve(results), fail: reject });
      }),
    limits,
  );
  return { batches, begun };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('batches', () => {
  test('run the first item at once, and together what comes meanwhile', async () => {
    const { batches, begun } = byHand({ atOnce: 1, items: 10 });
    const results = ['a', 'b', 'c'].map((item) => batches.add(item));
    expect(begun.map(({ items }) => items)).toEqual([['a']]);
    begun[0]?.succeed();
    await settled();
    expect(begun.map(({ items }) => items)).toEqual([['a'], ['b', 'c']]);
    begun[1]?.succeed();
    expect(await Promise.all(results)).toEqual(['a done', 'b done', 'c done']);
  });

  test('are as many at once, and as large, as their limits say', async () => {
    const { batches, begun } = byHand({ atOnce: 2, items: 2 });
    void ['a', 'b', 'c', 'd', 'e'].map((item) => batches.add(item));
    expect(begun.map(({ items }) => items)).toEqual([['a'], ['b']]);
    begun[1]?.succeed();
    await settled();
    begun[0]?.succeed();
    await settled();
    expect(begun.map(({ items }) => items)).toEqual([['a'], ['b'], ['c', 'd'], ['e']]);
  });

  test('that fail run each of their items alone, so that one does not fail for another', async () => {
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
});
