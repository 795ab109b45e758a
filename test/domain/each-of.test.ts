import { eachOf } from '../../activities/reconciliation/each-of';

test('what fails does not keep the others from being repaired, and is told at the end', async () => {
  const repaired: number[] = [];
  const work = eachOf([1, 2, 3], (item) => {
    if (item === 2) return Promise.reject(new Error('the carrier does not answer'));
    repaired.push(item);
    return Promise.resolve();
  });
  await expect(work).rejects.toThrow('1 could not be repaired');
  expect(repaired).toEqual([1, 3]);
});

test('nothing is told where nothing failed', async () => {
  await expect(eachOf([], () => Promise.reject(new Error('never asked')))).resolves.toBeUndefined();
});
