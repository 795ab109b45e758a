/** Splits long work into one piece per turn of the event loop, so that a short request waits for one piece only. */
const waiting: (() => void)[] = [];

/** Resolves in a turn in which no other long work runs, in the order of the calls. */
export function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(serve);
  });
}

function serve(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(serve);
}

/** Yields `most` items at a time, each batch in its own turn. */
export async function* inPieces<Item>(items: readonly Item[], most: number): AsyncGenerator<Item[]> {
  for (let at = 0; at < items.length; at += most) {
    await ownTurn();
    yield items.slice(at, at + most);
  }
}
