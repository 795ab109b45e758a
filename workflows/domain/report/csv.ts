import type { ReportCell, ReportColumn } from './columns';
import type { ReportRow } from './row';

/** Without it, Excel takes UTF-8 for the code page of the machine: names in Hindi become rubbish. Other programs skip it. */
const BYTE_ORDER_MARK = '\ufeff';

const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/** What a spreadsheet takes for the beginning of a formula, in full width too. */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;

/** E.164 and negative numbers: they calculate nothing. */
const NUMBER = /^[+-]?\d+(\.\d+)?$/;

/** The report in pieces, the headings first and then one for each page. */
export async function* csvChunks(
  columns: readonly ReportColumn[],
  pages: AsyncIterable<readonly ReportRow[]>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + line(columns.map(({ title }) => title));
  for await (const page of pages) {
    yield page.map((row) => line(columns.map(({ cellOf }) => cellOf(row)))).join('');
  }
}

const line = (cells: readonly ReportCell[]): string => `${cells.map(field).join(',')}\r\n`;

function field(cell: ReportCell): string {
  if (cell === null) return '';
  const text = typeof cell === 'number' ? String(cell) : withoutFormula(cell);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A contact's name or a caller's words must not calculate in the spreadsheet of who opens the report: the apostrophe makes them text. */
function withoutFormula(text: string): string {
  return FORMULA_START.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}
