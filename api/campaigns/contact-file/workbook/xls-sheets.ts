import { read, type CellObject, type Range, type WorkBook } from '@e965/xlsx';
import { MAX_SHEET_ROWS } from '../result';
import { dateText, errorText, numberText, type CellReading } from './cell-text';
import type { Sheet, SheetCells } from './sheet';

const DAY_ZERO = '1899-12-31';

/** As the format numbers them. */
const ERRORS: Readonly<Record<number, string>> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
};

/** Rows by column; both have holes. */
type Lines = ((CellObject | undefined)[] | undefined)[];

/** The visible sheets in the order of their tabs. */
export function* xlsSheets(content: Buffer): Generator<Sheet> {
  const workbook: WorkBook = read(content, {
    type: 'buffer',
    dense: true,
    cellDates: true,
    cellFormula: false,
    cellHTML: false,
    cellText: false,
    sheetRows: MAX_SHEET_ROWS + 1,
  });
  for (const [place, name] of workbook.SheetNames.entries()) {
    const sheet = workbook.Sheets[name];
    const isHidden = (workbook.Workbook?.Sheets?.[place]?.Hidden ?? 0) !== 0;
    if (sheet === undefined || isHidden) continue;
    const lines: Lines = sheet['!data'] ?? [];
    yield { rows: rowsOf(lines, sheet['!merges'] ?? []), isCut: lines.length > MAX_SHEET_ROWS };
  }
}

function* rowsOf(lines: Lines, merges: readonly Range[]): Generator<SheetCells> {
  fillDownwards(lines, merges);
  for (const [index, line] of lines.entries()) {
    if (line !== undefined) yield { row: index + 1, cells: Array.from(line, readCell) };
  }
}

/** A cell merged downwards has the value for each of its rows; of one merged sideways only the first column has it. */
function fillDownwards(lines: Lines, merges: readonly Range[]): void {
  for (const { s: first, e: last } of merges) {
    const value = lines[first.r]?.[first.c];
    for (let row = first.r + 1; row <= Math.min(last.r, lines.length - 1); row += 1) {
      const line = (lines[row] ??= []);
      line[first.c] = value;
    }
  }
}

function readCell(cell: CellObject | undefined): CellReading {
  const value = cell?.v;
  if (cell === undefined || value === undefined || cell.t === 'z') return '';
  if (cell.t === 'e') return errorText(ERRORS[Number(value)] ?? 'of a formula');
  if (value instanceof Date) return dateText(value, DAY_ZERO);
  return typeof value === 'number' ? numberText(value) : String(value);
}
