import { read, type CellObject, type Range, type WorkBook } from '@e965/xlsx';
import { MAX_SHEET_ROWS } from '../result';
import { dateText, errorText, numberText, type CellReading, isDateFormat } from './cell-text';
import { visibleFirst, type Sheet, type SheetCells } from './sheet';

/** Error codes of the format. */
const ERRORS: Readonly<Record<number, string>> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
};

/** Rows of cells. Both may have gaps. */
type Lines = ((CellObject | undefined)[] | undefined)[];

/** Yields the sheets in tab order, hidden ones last. */
export function* xlsSheets(content: Buffer): Generator<Sheet> {
  const workbook: WorkBook = read(content, {
    type: 'buffer',
    dense: true,
    cellDates: false,
    cellFormula: false,
    cellHTML: false,
    cellNF: true,
    cellText: false,
    sheetRows: MAX_SHEET_ROWS + 1,
  });
  const is1904 = workbook.Workbook?.WBProps?.date1904 ?? false;
  const tabs = workbook.SheetNames.map((name, place) => {
    const isHidden = (workbook.Workbook?.Sheets?.[place]?.Hidden ?? 0) !== 0;
    return { sheet: workbook.Sheets[name], isHidden };
  });
  for (const { sheet, isHidden } of tabs.sort(visibleFirst)) {
    if (sheet === undefined) continue;
    const lines: Lines = sheet['!data'] ?? [];
    const rows = rowsOf(lines, sheet['!merges'] ?? [], is1904);
    yield { rows, isCut: lines.length > MAX_SHEET_ROWS, isHidden };
  }
}

function* rowsOf(lines: Lines, merges: readonly Range[], is1904: boolean): Generator<SheetCells> {
  fillDownwards(lines, merges);
  for (const [index, line] of lines.entries()) {
    if (line === undefined) continue;
    yield { row: index + 1, cells: Array.from(line, (cell) => readCell(cell, is1904)) };
  }
}

/** A vertically merged cell repeats its value in each row. A horizontally merged one has it in its first column only. */
function fillDownwards(lines: Lines, merges: readonly Range[]): void {
  for (const { s: first, e: last } of merges) {
    const value = lines[first.r]?.[first.c];
    for (let row = first.r + 1; row <= Math.min(last.r, lines.length - 1); row += 1) {
      const line = (lines[row] ??= []);
      line[first.c] = value;
    }
  }
}

function readCell(cell: CellObject | undefined, is1904: boolean): CellReading {
  const value = cell?.v;
  if (cell === undefined || value === undefined || cell.t === 'z') return '';
  if (cell.t === 'e') {
    const error = ERRORS[Number(value)];
    return error === undefined ? { fault: 'contains a formula error' } : errorText(error);
  }
  if (typeof value !== 'number') return String(value);
  return isDateFormat(String(cell.z ?? '')) ? dateText(value, is1904) : numberText(value);
}
