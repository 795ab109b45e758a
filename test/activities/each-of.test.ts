import { eachOf, eachPageOf } from '../../activities/reconciliation/each-of';

const ENOUGH = { hasTime: () => true };

test('repairs the other items when one fails, and reports the failure at the end', async () => {
  const repaired: number[] = [];
  const work = eachOf(ENOUGH, [1, 2, 3], (item) => {
    if (item === 2) return Promise.reject(new Error('the carrier does not answer'));
    repaired.push(item);
    return Promise.resolve();
  });
  await expect(work).rejects.toThrow('1 could not be repaired');
  expect(repaired).toEqual([1, 3]);
});

test('reports nothing when nothing failed', async () => {
  await expect(eachOf(ENOUGH, [], () => Promise.reject(new Error('never asked')))).resolves.toBeUndefined();
});

test('starts no item and reads no page once the time is over', async () => {
  const repaired: number[] = [];
  const time = { hasTime: () => repaired.length < 3 };
  const read = (after: number | null) => Promise.resolve([1, 2].map((n) => n + (after ?? 0)));
  const repair = (page: number[]) => eachOf(time, page, (item) => Promise.resolve(void repaired.push(item)));
  await eachPageOf(time, read, repair);
  expect(repaired).toEqual([1, 2, 3]);
});

test('repairs the next page when one fails', async () => {
  const pages: number[][] = [];
  const read = (after: number | null) => Promise.resolve(after === 3 ? [] : [(after ?? 0) + 1]);
  const work = eachPageOf(ENOUGH, read, (page) => {
    pages.push(page);
    return page[0] === 2 ? Promise.reject(new Error('the carrier does not answer')) : Promise.resolve();
  });
  await expect(work).rejects.toThrow('1 pages could not be repaired');
  expect(pages).toEqual([[1], [2], [3]]);
});
