import { setImmediate as nextTurn } from 'node:timers/promises';

/** Rows of a hundred columns that are read in a millisecond or two. */
const ROWS_IN_ONE_GO = 100;

/** The rows; other requests are served in between. */
export async function* inTurns<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_IN_ONE_GO === ROWS_IN_ONE_GO - 1) await nextTurn();
    yield row;
  }
}
