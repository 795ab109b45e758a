/** Formats the output of commands: tables, lists of fields, JSON. */
import { styleText } from 'node:util';
import Table from 'cli-table3';

export type Cell = string | number | boolean | Date | null;

/** Control characters. API clients choose names, which could otherwise control the operator's terminal. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

export const plain = (text: string): string => text.replace(CONTROL, '\ufffd');

export function cellText(cell: Cell): string {
  if (cell === null) return '-';
  return cell instanceof Date ? cell.toISOString() : plain(String(cell));
}

// Columns are separated by two spaces, without borders, so that `cut`, `awk` and `grep` can parse them.
const NO_BORDERS = Object.fromEntries(
  [
    ...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'],
    ...['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'],
  ].map((name) => [name, '']),
);

const layout = () => ({
  chars: { ...NO_BORDERS, middle: '  ' },
  style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
});

const trimmed = (text: string): string => text.replace(/[ \t]+$/gm, '');

/** The library needs quadratic time, such as six seconds for 10,000 rows. Drawing 100 rows at a time takes linear time. */
const SHEET_ROWS = 100;

/** Prints `empty` if there are no rows. */
export function table(
  head: readonly string[],
  body: readonly (readonly Cell[])[],
  { empty, isStyled }: { empty: string; isStyled: boolean },
): string {
  if (body.length === 0) return empty;
  // `isStyled` decides whether to use styles. With validation, Node would check a different stream.
  const bold = (text: string) => styleText('bold', text, { validateStream: false });
  const rows = [isStyled ? head.map(bold) : [...head], ...body.map((row) => row.map(cellText))];
  const sheets = Array.from({ length: Math.ceil(rows.length / SHEET_ROWS) }, (_, index) =>
    rows.slice(index * SHEET_ROWS, (index + 1) * SHEET_ROWS),
  );
  const drawn = sheets.map((sheet) => draw(sheet));
  if (drawn.length <= 1) return drawn.map(({ text }) => text).join('\n');
  const widths = head.map((_, column) => Math.max(...drawn.map((sheet) => sheet.widths[column] ?? 0)));
  return sheets.map((sheet) => draw(sheet, widths).text).join('\n');
}

/** Without `colWidths`, each column is as wide as its widest cell. */
function draw(rows: string[][], colWidths: number[] = []): { text: string; widths: (number | null)[] } {
  const grid = new Table({ ...layout(), colWidths });
  grid.push(...rows);
  const text = trimmed(grid.toString());
  return { text, widths: grid.options.colWidths };
}

export function fieldList(fields: readonly (readonly [name: string, value: Cell])[]): string {
  const grid = new Table(layout());
  grid.push(...fields.map(([name, value]) => [`${name}:`, cellText(value)]));
  return trimmed(grid.toString());
}

/** Prints one line. Escapes control characters that JSON.stringify leaves. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
