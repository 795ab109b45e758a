import { stringify } from 'csv-stringify/sync';
import type { ReportRow } from '../../domain/report-row';
import { inPieces } from '../loop-turn';
import { ROWS_IN_ONE_GO, type ReportCell, type ReportColumn } from './columns';

/** Characters that begin a formula in a spreadsheet, including full-width ones. */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;

/** Phone numbers and negative numbers, which are harmless. */
const NUMBER = /^[+-]?\d+(\.\d+)?$/;

/** Yields the headings and then the rows in batches. */
export async function* csvChunks(
  columns: readonly ReportColumn[],
  pages: AsyncIterable<readonly ReportRow[]>,
): AsyncGenerator<string> {
  // Without a byte order mark, Excel misreads UTF-8, for example names in Hindi. Other programs ignore the mark.
  yield lines([columns.map(({ title }) => title)], { bom: true });
  for await (const page of pages)
    for await (const rows of inPieces(page, ROWS_IN_ONE_GO))
      yield lines(rows.map((row) => columns.map(({ cellOf }) => cellOf(row))));
}

const lines = (cells: ReportCell[][], { bom = false } = {}): string =>
  stringify(cells, {
    bom,
    record_delimiter: 'windows',
    quoted_match: /[;\t\r\n]|^\s|\s$/,
    // `escape_formulas` would also put an apostrophe before each phone number.
    cast: { string: withoutFormula },
  });

/** Puts an apostrophe before a formula, because a spreadsheet must not run a contact's name or a caller's words. */
function withoutFormula(text: string): string {
  return FORMULA_START.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}
