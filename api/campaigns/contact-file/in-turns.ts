import { setImmediate as nextTurn } from 'node:timers/promises';

/** A request of somebody else takes several turns of the event loop, and waits for one slice in each. */
const SLICE_MS = 4;

/** Long work lets others be served each time that it has run for a slice. */
export class TimeSlice {
  private since = performance.now();

  async end(): Promise<void> {
    if (performance.now() - this.since < SLICE_MS) return;
    await nextTurn();
    this.since = performance.now();
  }
}

/** The rows; other requests are served in between. */
export async function* inTurns<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  const slice = new TimeSlice();
  for (const row of rows) {
    await slice.end();
    yield row;
  }
}
