/** Reads CSV files that are too large for memory. Invalid rows are returned as faults, and the rows after them are read. */
import { once } from 'node:events';
import { parse as parser, type CsvError } from 'csv-parse';
import { TimeSlice } from '../../../runtime/loop-turn';
import { tooManyColumns } from './contacts';
import {
  BASE,
  DELIMITERS,
  filledWidth,
  FormulaSigns,
  formulaText,
  isBlank,
  isCsvError,
  namedDelimiter,
  reasonOf,
  refuseUtf16,
  sniffHeader,
  textFault,
  withoutStacks,
} from './csv';
import { MAX_RECORD_BYTES, noContacts, type ContactFileRefusal, type SheetRow } from './result';

/** A row that can't be read. `column` is its index, or null for the whole row. */
export type UnreadableRow = { row: number; column: number | null; reason: string };

export interface CsvStream {
  header: SheetRow;
  /** The rows below the header, in pieces, without blank ones. Each has as many cells as the header. */
  pieces: AsyncIterable<(SheetRow | UnreadableRow)[]>;
}

/** The delimiter is recognized by the first rows. */
const HEAD_BYTES = 2 * MAX_RECORD_BYTES;

/** Reads the header of a CSV file. The rows are read while `pieces` is iterated. */
export async function openCsv(content: AsyncIterable<Buffer>): Promise<CsvStream | ContactFileRefusal> {
  const chunks = content[Symbol.asyncIterator]();
  const start = await headOf(chunks);
  const utf16 = refuseUtf16(start);
  if (utf16 !== null) return utf16;
  const { delimiter: named, content: head } = namedDelimiter(start);
  const delimiters = named === null ? DELIMITERS : [named];
  const { delimiter, header } = sniffHeader(new FormulaSigns(delimiters).remove(head), delimiters);
  const width = filledWidth(header.cells);
  if (width === 0) return noContacts();
  const cut = { ...header, cells: header.cells.slice(0, width) };
  const tooWide = tooManyColumns(cut);
  if (tooWide !== null) return tooWide;
  const signs = new FormulaSigns([delimiter]);
  return { header: cut, pieces: piecesOf(withoutSigns(head, chunks, signs), delimiter, cut) };
}

async function headOf(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  const read: Buffer[] = [];
  for (let bytes = 0; bytes < HEAD_BYTES;) {
    const next = await chunks.next();
    if (next.done === true) break;
    read.push(next.value);
    bytes += next.value.length;
  }
  return Buffer.concat(read);
}

async function* withoutSigns(
  head: Buffer,
  chunks: AsyncIterator<Buffer>,
  signs: FormulaSigns,
): AsyncGenerator<Buffer> {
  yield signs.remove(head);
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next())
    yield signs.remove(next.value);
  yield signs.rest();
}

/** A piece takes about a millisecond. */
const PIECE_BYTES = 4 * 1024;

async function* piecesOf(
  content: AsyncIterable<Buffer>,
  delimiter: string,
  header: SheetRow,
): AsyncGenerator<(SheetRow | UnreadableRow)[]> {
  let found: (SheetRow | UnreadableRow)[] = [];
  const reading = rowParser(delimiter, header, (row) => void found.push(row));
  const slice = new TimeSlice();
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length && !reading.parser.destroyed; at += PIECE_BYTES) {
      withoutStacks(() => reading.parser.write(chunk.subarray(at, at + PIECE_BYTES)));
      await slice.end();
    }
    if (reading.parser.destroyed) break;
    if (found.length > 0) yield found;
    found = [];
  }
  await reading.end();
  if (found.length > 0) yield found;
}

/** Reports each row to `take` while its piece is written. */
function rowParser(delimiter: string, header: SheetRow, take: (row: SheetRow | UnreadableRow) => void) {
  let records = 0;
  let lastFault = -1;
  const parsing = parser({
    ...BASE,
    delimiter,
    skip_records_with_error: true,
    on_record: (cells: string[]) => {
      records += 1;
      if (records > header.row && !isBlank(cells)) take(rowOf(records, cells, header.cells.length));
      // Otherwise the parser would also queue the row.
      return null;
    },
  });
  parsing.on('skip', (error: CsvError) => {
    // The parser can't continue after this row, because it doesn't know where the row ends. Throwing ends it.
    if (error.code === 'CSV_MAX_RECORD_SIZE') throw error;
    // A row can have several faults.
    if (error['lines'] === lastFault) return;
    lastFault = Number(error['lines']);
    records += 1;
    take({ row: records, column: null, reason: reasonOf(error) });
  });
  const end = once(parsing, 'end');
  end.catch(() => undefined);
  parsing.resume();
  return {
    parser: parsing,
    async end(): Promise<void> {
      parsing.end();
      try {
        await end;
      } catch (error) {
        if (!isCsvError(error)) throw error;
        take({
          row: records + 1,
          column: null,
          reason: `${reasonOf(error)}. The rows below it were not read`,
        });
      }
    },
  };
}

function rowOf(row: number, cells: string[], width: number): SheetRow | UnreadableRow {
  if (cells.length < width || (cells.length > width && filledWidth(cells) > width))
    return { row, column: null, reason: 'has more or fewer cells than the header' };
  const texts = cells.slice(0, width).map(formulaText);
  for (const [column, text] of texts.entries()) {
    const reason = textFault(text, null);
    if (reason !== null) return { row, column, reason };
  }
  return { row, cells: texts };
}
