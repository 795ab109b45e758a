import { stringify } from 'csv-stringify/sync';
import type { ReportRow } from '../../domain/report-row';
import { inPieces } from '../loop-turn';
import { ROWS_IN_ONE_GO, type ReportCell, type ReportColumn } from './columns';

/** What a spreadsheet takes for the beginning of a formula, in full width too. */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;

/** E.164 and negative numbers: they calculate nothing. */
const NUMBER = /^[+-]?\d+(\.\d+)?$/;

/** Writes the report in pieces of a few rows, after the headings. */
export async function* csvChunks(
  columns: readonly ReportColumn[],
  pages: AsyncIterable<readonly ReportRow[]>,
): AsyncGenerator<string> {
  // Without a byte order mark Excel takes UTF-8 for the code page of the machine: names in Hindi become rubbish. Other programs skip it.
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
    // Not `escape_formulas`, which would also put an apostrophe before each phone number.
    cast: { string: withoutFormula },
  });

/** A contact's name or a caller's words must not calculate in the spreadsheet of who opens the report: the apostrophe makes them text. */
function withoutFormula(text: string): string {
  return FORMULA_START.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}
