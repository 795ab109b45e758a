import { setImmediate as nextTurn } from 'node:timers/promises';
import { inPieces, ownTurn } from '../../runtime/loop-turn';

test('leaves many turns of the event loop to short requests after a long piece of work', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] });
  try {
    const ran: string[] = [];
    const work = async (name: string): Promise<void> => {
      await ownTurn();
      for (const until = performance.now() + 5; performance.now() < until;);
      ran.push(name);
    };
    const done = Promise.all([work('a'), work('b')]);
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    expect(ran).toEqual(['a']);
    jest.runOnlyPendingTimers();
    await done;
    expect(ran).toEqual(['a', 'b']);
    for (let turn = 0; turn < 2; turn += 1) await nextTurn();
    jest.runOnlyPendingTimers();
  } finally {
    jest.useRealTimers();
  }
});

test('runs one piece of work per turn of the event loop, in the order of the calls', async () => {
  const ran: string[] = [];
  const work = async (name: string): Promise<void> => {
    for (const nth of [1, 2]) {
      await ownTurn();
      ran.push(`${name}${nth}`);
    }
  };
  const done = Promise.all([work('a'), work('b'), work('c')]);
  const ranInTurn: number[] = [];
  while (ran.length < 6) {
    const before = ran.length;
    await nextTurn();
    ranInTurn.push(ran.length - before);
  }
  await done;
  expect(ran).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
  expect(Math.max(...ranInTurn)).toBe(1);
});

test('yields all items in pieces of the requested size', async () => {
  const pieces: number[][] = [];
  for await (const piece of inPieces([1, 2, 3, 4, 5], 2)) pieces.push(piece);
  expect(pieces).toEqual([[1, 2], [3, 4], [5]]);
});
