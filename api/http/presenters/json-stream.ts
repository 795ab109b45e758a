import { Readable } from 'node:stream';
import { ownTurn } from '../../../runtime/loop-turn';
import type { JsonStream } from '../endpoint';

/**
 * The items as a JSON list, a piece at a time: the next batch is read once the client has taken the pieces of the one before. What fails on the way breaks the
 * connection off, so that nobody takes the part for the whole.
 */
export const listStream = <Row, Item>(
  batches: AsyncIterable<Row[]>,
  present: (row: Row) => Item,
): JsonStream<Item[]> => Readable.from(listText(batches, present), { objectMode: false });

/** A page of them, with what it is a page of. */
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

/** Other requests are served between two pieces: twenty calls of an hour are megabytes, and several pages may be read at once. */
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
