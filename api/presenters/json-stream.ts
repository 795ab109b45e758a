import { Readable } from 'node:stream';
import type { JsonStream } from '../endpoint';

/**
 * The items as a JSON list, a batch at a time: the next is read once the client has taken the one before. What fails on the way breaks the
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

async function* listText<Row>(
  batches: AsyncIterable<Row[]>,
  present: (row: Row) => unknown,
): AsyncGenerator<string> {
  yield '[';
  let isFirst = true;
  for await (const batch of batches) {
    const items = batch.map((row) => JSON.stringify(present(row))).join(',');
    if (items === '') continue;
    yield isFirst ? items : `,${items}`;
    isFirst = false;
  }
  yield ']';
}
