import { MAX_SHEET_ROWS } from '../result';
import { dateText, HASHES, isoDateText, unescaped } from './cell-text';
import { xmlText } from './plain-texts';
import { UnreadableWorkbook } from './unreadable-workbook';
import { attribute, isTrue, readXml, type Attributes } from './xml';

const ROW = 'worksheet/sheetData/row';
const CELL = `${ROW}/c`;
const VALUE = `${CELL}/v`;
/** The runs of a rich text, without its phonetic ones. */
const INLINE: ReadonlySet<string> = new Set([`${CELL}/is/t`, `${CELL}/is/r/t`]);
const MERGE = 'worksheet/mergeCells/mergeCell';

const ADDRESS = /^\$?([A-Z]{1,3})\$?(\d+)$/i;
const RANGE = /^\$?([A-Z]{1,3})\$?(\d+):\$?([A-Z]{1,3})\$?(\d+)$/i;
const LAST_ROW = 1_048_576;
const LAST_COLUMN = 16_384;

/** exceljs makes an object for each cell of a merge, and a merge may be as large as the sheet. */
const MAX_MERGED_CELLS = 100_000;

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const WHOLE_NUMBER = /^-?\d+$/;

export interface SheetContext {
  /** The workbook's shared texts. Those of the sheet's other cells are added. */
  texts: string[];
  /** Whether a cell of this style shows a date. */
  isDate: (style: number) => boolean;
  is1904: boolean;
}

type CellContext = SheetContext & { sharedCount: number };

/** A cell while it is read. */
interface OpenCell {
  type: string;
  style: number;
  value: string | null;
  inline: string | null;
}

/**
 * The sheet's values in the one spelling that exceljs reads rightly: every row and cell has its address, every text is a shared one,
 * and a date is a text. Cells without a value are left out, and rows beyond the most that are read.
 */
export function plainSheet(bytes: Buffer, context: SheetContext): { xml: string; isCut: boolean } {
  const rows: string[] = [];
  const merges: string[] = [];
  let cells: string[] = [];
  let mergedCells = 0;
  const reading = { ...context, sharedCount: context.texts.length };
  let row = 0;
  let column = 0;
  let cell: OpenCell | null = null;
  readXml(bytes, {
    isDone: () => rows.length > MAX_SHEET_ROWS,
    open: (path, attributes) => {
      if (path === ROW) {
        row = rowNumber(attributes) ?? row + 1;
        column = 0;
        cells = [];
      } else if (path === CELL) {
        const [, letters, digits] = ADDRESS.exec(attribute(attributes, 'r') ?? '') ?? [];
        column = letters === undefined ? column + 1 : columnNumber(letters);
        if (digits !== undefined) row = Number(digits);
        cell = openCell(attributes);
      } else if (path === MERGE) {
        const [, left = '', top, right = '', bottom] = RANGE.exec(attribute(attributes, 'ref') ?? '') ?? [];
        if (top === undefined) return;
        const columns = Math.abs(columnNumber(right) - columnNumber(left)) + 1;
        mergedCells += columns * (Math.abs(Number(bottom) - Number(top)) + 1);
        merges.push(`<mergeCell ref="${`${left}${top}:${right}${bottom}`.toUpperCase()}"/>`);
      }
    },
    text: (path, text) => {
      if (cell === null) return;
      if (path === VALUE) cell.value = (cell.value ?? '') + text;
      else if (INLINE.has(path)) cell.inline = (cell.inline ?? '') + text;
    },
    close: (path) => {
      if (path === CELL && cell !== null) {
        const written = writtenCell(cell, reading, cellAddress(column, row));
        if (written !== null) cells.push(written);
        cell = null;
      } else if (path === ROW && cells.length > 0) {
        rows.push(`<row r="${row}">${cells.join('')}</row>`);
        cells = [];
      }
    },
  });
  const isMerged = mergedCells > 0 && mergedCells <= MAX_MERGED_CELLS;
  const merged = isMerged ? `<mergeCells>${merges.join('')}</mergeCells>` : '';
  const data = rows.slice(0, MAX_SHEET_ROWS).join('');
  return {
    xml: `<worksheet><sheetData>${data}</sheetData>${merged}</worksheet>`,
    isCut: rows.length > MAX_SHEET_ROWS,
  };
}

const openCell = (attributes: Attributes): OpenCell => ({
  type: attribute(attributes, 't') ?? 'n',
  style: Number(attribute(attributes, 's') ?? 0),
  value: null,
  inline: null,
});

/** Null for a cell without a value. */
function writtenCell(cell: OpenCell, context: CellContext, address: string): string | null {
  const reading = cellValue(cell, context);
  if (reading === null || reading === '') return null;
  if (typeof reading === 'string') {
    context.texts.push(reading);
    return `<c r="${address}" t="s"><v>${context.texts.length - 1}</v></c>`;
  }
  return `<c r="${address}" t="${reading.type}"><v>${reading.value}</v></c>`;
}

type PlainValue = { type: 's' | 'n' | 'b' | 'e'; value: string | number };

/** A text, or what exceljs reads rightly by itself. */
function cellValue(
  { type, style, value, inline }: OpenCell,
  { sharedCount, isDate, is1904 }: CellContext,
): string | PlainValue | null {
  if (inline !== null) return unescaped(inline);
  if (value === null) return null;
  const written = value.trim();
  if (type === 'str' || type === 'inlineStr') return unescaped(value);
  if (written === '') return null;
  switch (type) {
    case 's':
      return sharedText(written, sharedCount);
    case 'b':
      return { type: 'b', value: isTrue(written) ? 1 : 0 };
    case 'e':
      return { type: 'e', value: xmlText(written) };
    case 'd':
      return isoDateText(written);
    default:
      return numberValue(written, isDate(style), is1904);
  }
}

function sharedText(written: string, sharedCount: number): PlainValue {
  if (!/^\d+$/.test(written) || Number(written) >= sharedCount)
    throw new UnreadableWorkbook('it is damaged: a text is missing');
  return { type: 's', value: Number(written) };
}

function numberValue(written: string, isDate: boolean, is1904: boolean): string | PlainValue {
  if (!NUMBER.test(written)) return { type: 'n', value: 'NaN' };
  const value = Number(written);
  if (!isDate) {
    // A writer that is not a spreadsheet keeps more digits than a double holds.
    return WHOLE_NUMBER.test(written) && !Number.isSafeInteger(value) ? written : { type: 'n', value };
  }
  const reading = dateText(value, is1904);
  return typeof reading === 'string' ? reading : { type: 'e', value: HASHES };
}

function rowNumber(attributes: Attributes): number | null {
  const written = attribute(attributes, 'r') ?? '';
  return /^\d+$/.test(written) ? Number(written) : null;
}

function cellAddress(column: number, row: number): string {
  if (row > LAST_ROW) throw new UnreadableWorkbook('it has rows that no spreadsheet has');
  if (column > LAST_COLUMN) throw new UnreadableWorkbook('it has columns that no spreadsheet has');
  return `${columnLetters(column)}${row}`;
}

const columnNumber = (letters: string): number =>
  [...letters.toUpperCase()].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);

function columnLetters(number: number): string {
  const letter = String.fromCharCode(65 + ((number - 1) % 26));
  return number > 26 ? columnLetters(Math.floor((number - 1) / 26)) + letter : letter;
}
