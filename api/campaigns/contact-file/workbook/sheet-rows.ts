import { MAX_SHEET_ROWS } from '../result';
import { dateText, errorText, isoDateText, numberText, unescaped, type CellReading } from './cell-text';
import type { SheetCells } from './sheet';
import { UnreadableWorkbook } from './unreadable-workbook';
import { attribute, isTrue, readXml, type Attributes } from './xml';

const ROW = 'worksheet/sheetData/row';
const CELL = `${ROW}/c`;
const VALUE = `${CELL}/v`;
/** Runs of rich text, without phonetic ones. */
const INLINE: ReadonlySet<string> = new Set([`${CELL}/is/t`, `${CELL}/is/r/t`]);
const MERGE = 'worksheet/mergeCells/mergeCell';

const ADDRESS = /^\$?([A-Z]{1,3})\$?(\d+)$/i;
const RANGE = /^\$?([A-Z]{1,3})\$?(\d+):\$?([A-Z]{1,3})\$?(\d+)$/i;
const LAST_ROW = 1_048_576;
const LAST_COLUMN = 16_384;

/** A merge can cover the whole sheet. If merges cover more cells than this, they are ignored. */
const MAX_MERGED_CELLS = 100_000;

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const WHOLE_NUMBER = /^-?\d+$/;

export interface SheetContext {
  texts: readonly string[];
  /** Returns true if a cell of this style shows a date. */
  isDate: (style: number) => boolean;
  is1904: boolean;
}

interface OpenCell {
  type: string;
  style: number;
  value: string | null;
  inline: string | null;
}

/** Cells by row number. Rows and cells may have gaps. */
type Lines = Map<number, CellReading[]>;

/** Returns the rows that contain a value, in order. Rows beyond the maximum are dropped and `isCut` is set. */
export function sheetRows(
  bytes: Buffer,
  context: SheetContext,
): { rows: Iterable<SheetCells>; isCut: boolean } {
  const lines: Lines = new Map();
  const merges: Merge[] = [];
  let cells: CellReading[] = [];
  let rowsRead = 0;
  let row = 0;
  let column = 0;
  let cell: OpenCell | null = null;
  readXml(bytes, {
    isDone: () => rowsRead > MAX_SHEET_ROWS,
    open: (path, attributes) => {
      if (path === ROW) {
        row = rowNumber(attributes) ?? row + 1;
        column = 0;
        cells = [];
      } else if (path === CELL) {
        const [, letters, digits] = ADDRESS.exec(attribute(attributes, 'r') ?? '') ?? [];
        column = letters === undefined ? column + 1 : columnNumber(letters);
        if (digits !== undefined) row = Number(digits);
        checkAddress(column, row);
        cell = openCell(attributes);
      } else if (path === MERGE) {
        const merge = readMerge(attributes);
        if (merge !== null) merges.push(merge);
      }
    },
    text: (path, text) => {
      if (cell === null) return;
      if (path === VALUE) cell.value = (cell.value ?? '') + text;
      else if (INLINE.has(path)) cell.inline = (cell.inline ?? '') + text;
    },
    close: (path) => {
      if (path === CELL && cell !== null) {
        const reading = readCell(cell, context);
        if (reading !== null) cells[column - 1] = reading;
        cell = null;
      } else if (path === ROW && cells.length > 0) {
        rowsRead += 1;
        if (rowsRead <= MAX_SHEET_ROWS) lines.set(row, cells);
        cells = [];
      }
    },
  });
  fillMerges(lines, merges);
  return { rows: inOrder(lines), isCut: rowsRead > MAX_SHEET_ROWS };
}

/** Fills gaps with empty cells one row at a time, because a single cell can make a row as wide as the sheet. */
function* inOrder(lines: Lines): Generator<SheetCells> {
  for (const row of [...lines.keys()].sort((one, other) => one - other))
    yield { row, cells: Array.from(lines.get(row) ?? [], (cell) => cell ?? '') };
}

interface Merge {
  top: number;
  bottom: number;
  /** Starts at 0. */
  left: number;
  right: number;
}

function readMerge(attributes: Attributes): Merge | null {
  const [, left = '', top, right = '', bottom] = RANGE.exec(attribute(attributes, 'ref') ?? '') ?? [];
  if (top === undefined) return null;
  const rows = [Number(top), Number(bottom)];
  const columns = [columnNumber(left) - 1, columnNumber(right) - 1];
  return {
    ...{ top: Math.min(...rows), bottom: Math.max(...rows) },
    ...{ left: Math.min(...columns), right: Math.max(...columns) },
  };
}

/** A vertically merged cell repeats its value in each row. A horizontally merged one has it in its first column only. */
function fillMerges(lines: Lines, merges: readonly Merge[]): void {
  const size = ({ top, bottom, left, right }: Merge): number => (bottom - top + 1) * (right - left + 1);
  if (merges.reduce((sum, merge) => sum + size(merge), 0) > MAX_MERGED_CELLS) return;
  for (const { top, bottom, left, right } of merges) {
    const value = lines.get(top)?.[left];
    for (let row = top; row <= bottom; row += 1) {
      const cells = lines.get(row) ?? [];
      for (let column = left; column <= Math.min(right, cells.length - 1); column += 1) cells[column] = '';
      if (value === undefined) continue;
      cells[left] = value;
      lines.set(row, cells);
    }
  }
}

const openCell = (attributes: Attributes): OpenCell => ({
  type: attribute(attributes, 't') ?? 'n',
  style: Number(attribute(attributes, 's') ?? 0),
  value: null,
  inline: null,
});

/** Returns null for a cell without a value. For a formula, returns the stored result. */
function readCell({ type, style, value, inline }: OpenCell, context: SheetContext): CellReading | null {
  if (inline !== null) return unescaped(inline) || null;
  if (value === null) return null;
  const written = value.trim();
  if (type === 'str' || type === 'inlineStr') return unescaped(value) || null;
  if (written === '') return null;
  switch (type) {
    case 's':
      return sharedText(written, context.texts);
    case 'b':
      return String(isTrue(written));
    case 'e':
      return errorText(written);
    case 'd':
      return isoDateText(written);
    default:
      return readNumber(written, context.isDate(style), context.is1904);
  }
}

function sharedText(written: string, texts: readonly string[]): string {
  const text = /^\d+$/.test(written) ? texts[Number(written)] : undefined;
  if (text === undefined) throw new UnreadableWorkbook('it is damaged: a shared string is missing');
  return text;
}

function readNumber(written: string, isDate: boolean, is1904: boolean): CellReading {
  const value = NUMBER.test(written) ? Number(written) : NaN;
  if (isDate && !Number.isNaN(value)) return dateText(value, is1904);
  // Programs other than spreadsheets may write more digits than a double can hold.
  return WHOLE_NUMBER.test(written) && !Number.isSafeInteger(value) ? written : numberText(value);
}

function rowNumber(attributes: Attributes): number | null {
  const written = attribute(attributes, 'r') ?? '';
  return /^\d+$/.test(written) ? Number(written) : null;
}

function checkAddress(column: number, row: number): void {
  if (row < 1 || row > LAST_ROW) throw new UnreadableWorkbook('its row numbers are out of range');
  if (column > LAST_COLUMN) throw new UnreadableWorkbook('its column numbers are out of range');
}

const columnNumber = (letters: string): number =>
  [...letters.toUpperCase()].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);
