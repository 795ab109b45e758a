/** Runs long work in pieces, one per turn of the event loop, so that a short request waits for only one piece. */
const waiting: (() => void)[] = [];
let isServing = false;

/** After a piece longer than this, pause for the same length, because a short request needs about ten turns. */
const LONG_PIECE_MS = 2;
/** Caps the pause, so that a stall of the machine is not doubled. */
const LONGEST_PAUSE_MS = 50;

/** Resolves in a turn of the event loop in which no other long work runs. Work is served in the order of the calls. */
export function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (isServing) return;
    isServing = true;
    setImmediate(serve);
  });
}

function serve(): void {
  const startedAt = performance.now();
  waiting.shift()?.();
  setImmediate(() => {
    const tookMs = performance.now() - startedAt;
    if (tookMs > LONG_PIECE_MS) setTimeout(serveNext, Math.min(tookMs, LONGEST_PAUSE_MS));
    else serveNext();
  });
}

function serveNext(): void {
  if (waiting.length > 0) serve();
  else isServing = false;
}

/** Yields `max` items at a time, each batch in a separate turn. */
export async function* inPieces<Item>(items: readonly Item[], max: number): AsyncGenerator<Item[]> {
  for (let at = 0; at < items.length; at += max) {
    await ownTurn();
    yield items.slice(at, at + max);
  }
}

/** How long work may run before it yields to other requests. A short request waits for one slice in each of its turns. */
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

/** Iterates over the rows and regularly yields to other requests. */
export async function* inTurns<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  const slice = new TimeSlice();
  for (const row of rows) {
    await slice.end();
    yield row;
  }
}
