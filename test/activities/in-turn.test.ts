import { inTurn } from '../../activities/mail/in-turn';

/** Work that ends when it is asked to. */
function piece() {
  let end: (failed?: Error) => void = () => undefined;
  const done = new Promise<void>((resolve, reject) => {
    end = (failed) => (failed === undefined ? resolve() : reject(failed));
  });
  return { done, end };
}

const settled = () => new Promise(setImmediate);

test('so many run at once; the next begins when one ends, in the order in which they came, also after a failure', async () => {
  const run = inTurn(2);
  const pieces = [piece(), piece(), piece(), piece()];
  const begun: number[] = [];
  const results = pieces.map(({ done }, index) =>
    run(() => {
      begun.push(index);
      return done;
    }).catch((error: Error) => error.message),
  );
  await settled();
  expect(begun).toEqual([0, 1]);
  pieces[1]!.end(new Error('refused'));
  await settled();
  expect(begun).toEqual([0, 1, 2]);
  pieces[0]!.end();
  pieces[2]!.end();
  await settled();
  expect(begun).toEqual([0, 1, 2, 3]);
  pieces[3]!.end();
  await expect(Promise.all(results)).resolves.toEqual([undefined, 'refused', undefined, undefined]);
});

test('a place that was given back is free again', async () => {
  const run = inTurn(1);
  await run(() => Promise.resolve());
  await expect(run(() => Promise.resolve('again'))).resolves.toBe('again');
});
