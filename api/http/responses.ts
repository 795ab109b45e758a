import { Readable } from 'node:stream';
import { about, object, type ValueOf } from './schema/field';
import { flag, integer, constant } from './schema/kinds';
import type { Paging } from './input/fields';
import { ownTurn } from '../../runtime/loop-turn';
import type { JsonStream } from './endpoint';

const PAGE = {
  page: about(integer(1), 'Number of this page, starting at 1'),
  page_size: about(integer(1), 'Maximum number of items on a page'),
};

export const pagination = object(
  {
    ...PAGE,
    total_count: about(integer(0), 'Number of items on all pages. With a filter, counted up to 10,000'),
    total_pages: about(integer(0), 'Number of pages'),
    has_next: flag(),
    has_previous: flag(),
  },
  { name: 'Pagination' },
);
type PaginationBody = ValueOf<typeof pagination>;

/** The campaigns list has different field names. */
export const campaignPagination = object(
  {
    ...PAGE,
    total: about(integer(0), 'Number of items on all pages'),
    total_pages: about(integer(0), 'Number of pages'),
  },
  { name: 'CampaignPagination' },
);
type CampaignPaginationBody = ValueOf<typeof campaignPagination>;

/** Pagination of call history, agents, contacts and deliveries. */
export function presentPagination({ page, page_size }: Paging, total: number): PaginationBody {
  const totalPages = Math.ceil(total / page_size);
  return {
    page,
    page_size,
    total_count: total,
    total_pages: totalPages,
    has_next: page < totalPages,
    has_previous: page > 1,
  };
}

export function presentCampaignPagination(
  { page, page_size }: Paging,
  total: number,
): CampaignPaginationBody {
  return { page, page_size, total, total_pages: Math.ceil(total / page_size) };
}

/** Formats an instant as UTC with milliseconds and Z. It also accepts text, because Postgres formats instants in JSON differently. */
export function iso(instant: Date | string): string;
export function iso(instant: Date | string | null): string | null;
export function iso(instant: Date | string | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}

export const done = object({ success: constant(true) }, { name: 'Done' });

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
