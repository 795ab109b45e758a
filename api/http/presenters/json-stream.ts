import { Readable } from 'node:stream';
import { ownTurn } from '../../../runtime/loop-turn';
import type { JsonStream } from '../endpoint';

/**
 * Streams the items as a JSON array. The next batch is read once the client has taken the previous one. An error closes the connection,
 * so that clients don't mistake a truncated list for a complete one.
 */
export const listStream = <Row, Item>(
  batches: AsyncIterable<Row[]>,
  present: (row: Row) => Item,
): JsonStream<Item[]> => Readable.from(listText(batches, present), { objectMode: false });

/** Streams a page of items with its pagination. */
export const pageStream = <Row, Item, Pagination>(
  batches: AsyncIterable<Row[]>,
  present: (row: Row) => Item,
  pagination: Pagination,
): JsonStream<{ data: Item[]; pagination: Pagination }> =>
  Readable.from(pageText(batches, present, pagination), { objectMode: false });

async function* pageText<Row>(
  batches: AsyncIterable<Row[]>,
  present: (row: Row) => unknown,
  pagination: unknown,
): AsyncGenerator<string> {
  yield '{"data":';
  yield* listText(batches, present);
  yield `,"pagination":${JSON.stringify(pagination)}}`;
}

/** A page of long calls can take megabytes, so other requests are served between pieces. */
const PIECE_LENGTH = 64 * 1024;

async function* listText<Row>(
  batches: AsyncIterable<Row[]>,
  present: (row: Row) => unknown,
): AsyncGenerator<string> {
  let text = '[';
  let separator = '';
  for await (const batch of batches) {
    for (const row of batch) {
      text += `${separator}${JSON.stringify(present(row))}`;
      separator = ',';
      if (text.length < PIECE_LENGTH) continue;
      yield text;
      text = '';
      await ownTurn();
    }
  }
  yield `${text}]`;
}
