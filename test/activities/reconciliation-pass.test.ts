/** Tests how a reconciliation pass handles the items that it finds. */
import { pagesOf, pass, type PassContext } from '../../activities/reconciliation/pass';

type Steps<Item> = Parameters<typeof pass<Item>>[0];

const unreachable = (): Promise<never> => Promise.reject(new Error('the carrier is not responding'));

const make = <Item>(steps: Omit<Steps<Item>, 'name'>, hasTime = (): boolean => true): Promise<void> =>
  pass({ name: 'repairItems', ...steps }).run({ hasTime } as PassContext);

describe('a reconciliation pass', () => {
  let repaired: number[];
  beforeEach(() => {
    repaired = [];
  });

  const unlessIn =
    (failing: readonly number[]) =>
    (_: PassContext, item: number): Promise<void> =>
      failing.includes(item) ? unreachable() : Promise.resolve(void repaired.push(item));

  test('repairs the other items when one fails, and reports the failure at the end', async () => {
    const work = make({ find: () => Promise.resolve([1, 2, 3]), repair: unlessIn([2]) });
    await expect(work).rejects.toThrow('1 could not be repaired');
    expect(repaired).toEqual([1, 3]);
  });

  test('does nothing when nothing is overdue', async () => {
    await expect(make({ find: () => Promise.resolve([]), repair: unreachable })).resolves.toBeUndefined();
  });

  test('starts no item and reads no page once its time is up', async () => {
    const read = jest.fn((last: number | null) => Promise.resolve([1, 2].map((n) => n + (last ?? 0))));
    const hasTime = (): boolean => repaired.length < 3;
    await make({ find: () => pagesOf(read), repair: unlessIn([]) }, hasTime);
    expect(repaired).toEqual([1, 2, 3]);
    expect(read).toHaveBeenCalledTimes(2);
  });

  test('repairs the next page when a page fails', async () => {
    const read = (last: number | null) => Promise.resolve(last === 3 ? [] : [(last ?? 0) + 1]);
    const work = make({ find: () => pagesOf(read), repair: unlessIn([2]) });
    await expect(work).rejects.toThrow('1 could not be repaired');
    expect(repaired).toEqual([1, 3]);
  });

  test.each([
    ['all', [1, 2, 3]],
    ['repaired', [1, 3]],
    ['failed', [2]],
  ] as const)(
    'postpones the next check of %s items, except items that the pass had no time for',
    async (which, expected) => {
      const postponed: number[] = [];
      const until = (_: PassContext, items: readonly number[]): Promise<void> =>
        Promise.resolve(void postponed.push(...items));
      const find = (): Promise<number[]> => Promise.resolve([1, 2, 3, 4]);
      const hasTime = (): boolean => !repaired.includes(3);
      await expect(
        make({ find, repair: unlessIn([2]), postpone: { which, until } }, hasTime),
      ).rejects.toThrow('1 could not be repaired');
      expect(postponed).toEqual(expected);
    },
  );

  test('reports that it could not postpone a next check', async () => {
    const work = make({
      find: () => Promise.resolve([1]),
      repair: unlessIn([]),
      postpone: { which: 'all', until: unreachable },
    });
    await expect(work).rejects.toThrow('1 could not be repaired');
  });
});
