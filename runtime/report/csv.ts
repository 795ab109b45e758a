import { stringify } from 'csv-stringify/sync';
import type { ReportRow } from '../../workflows/domain/report-row';
import type { ReportCell, ReportColumn } from './columns';

/** What a spreadsheet takes for the beginning of a formula, in full width too. */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;

/** E.164 and negative numbers: they calculate nothing. */
const NUMBER = /^[+-]?\d+(\.\d+)?$/;

/** The report in pieces, the headings first and then one for each page. */
export async function* csvChunks(
  columns: readonly ReportColumn[],
  pages: AsyncIterable<readonly ReportRow[]>,
): AsyncGenerator<string> {
  // Without a byte order mark Excel takes UTF-8 for the code page of the machine: names in Hindi become rubbish. Other programs skip it.
  yield lines([columns.map(({ title }) => title)], { bom: true });
  for await (const page of pages) yield lines(page.map((row) => columns.map(({ cellOf }) => cellOf(row))));
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
