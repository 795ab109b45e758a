/** Turns of the event loop for long work. One piece runs in each turn, so a short request waits for one piece and not for all work that is under way. */
const waiting: (() => void)[] = [];

/** Resolves in a turn that no other piece of long work has, in the order of the calls. */
export function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(serve);
  });
}

function serve(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(serve);
}

/** Yields some items at a time, each time in a turn of its own. */
export async function* inPieces<Item>(items: readonly Item[], most: number): AsyncGenerator<Item[]> {
  for (let at = 0; at < items.length; at += most) {
    await ownTurn();
    yield items.slice(at, at + most);
  }
}
