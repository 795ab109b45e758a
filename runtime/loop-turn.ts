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

/** Time before other requests get a turn. A short request needs about ten turns of the event loop and waits for one slice in each. */
const SLICE_MS = 1;

/** Yields to other requests each time the work has run for a slice. */
export class TimeSlice {
  private since = performance.now();

  async end(): Promise<void> {
    if (performance.now() - this.since < SLICE_MS) return;
    await ownTurn();
    this.since = performance.now();
  }
}

/** Iterates over the rows and yields to other requests in between. */
export async function* inTurns<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  const slice = new TimeSlice();
  for (const row of rows) {
    await slice.end();
    yield row;
  }
}
