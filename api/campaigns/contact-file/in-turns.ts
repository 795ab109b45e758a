import { ownTurn } from '../../../runtime/loop-turn';

/** A short request takes about ten turns of the event loop and waits for one slice in each. */
const SLICE_MS = 1;

/** Gives way to other requests each time that the work has run for a slice. */
export class TimeSlice {
  private since = performance.now();

  async end(): Promise<void> {
    if (performance.now() - this.since < SLICE_MS) return;
    await ownTurn();
    this.since = performance.now();
  }
}

/** Yields the rows and gives way to other requests in between. */
export async function* inTurns<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  const slice = new TimeSlice();
  for (const row of rows) {
    await slice.end();
    yield row;
  }
}
