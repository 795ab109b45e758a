import { ownTurn } from '../../../runtime/loop-turn';

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
