import { visibleFirst, type Sheet, UnreadableWorkbook, type SheetCells } from './sheet';
import { WorkbookPackage } from './workbook-package';
import { attribute, isTrue, prefixedAttribute, readXml, type Attributes } from './xml';
import {
  unescaped,
  isBuiltInDate,
  isDateFormat,
  dateText,
  errorText,
  isoDateText,
  numberText,
  type CellReading,
} from './cell-text';
import { MAX_SHEET_ROWS } from '../result';

/** Default path of the workbook part, for files whose relationships don't name it. */
const USUAL_WORKBOOK = 'xl/workbook.xml';

/** Yields the sheets in tab order, hidden ones last. Each is read only when it is needed. */
export async function* xlsxSheets(content: Buffer): AsyncGenerator<Sheet> {
  const parts = await WorkbookPackage.open(content);
  const workbookName = await workbookPart(parts);
  const { tabs, is1904 } = readBook(await parts.read(workbookName));
  const relationships = await parts.relationships(workbookName);
  const partOf = (kind: string): Promise<Buffer> | null => {
    // Some programs write neither shared texts nor styles but still reference their parts.
    const found = relationships.find((one) => one.kind === kind && parts.has(one.target));
    return found === undefined ? null : parts.read(found.target);
  };
  const [strings, styles] = [await partOf('sharedstrings'), await partOf('styles')];
  const texts = strings === null ? [] : sharedTexts(strings);
  const isDate = styles === null ? () => false : dateStyles(styles);
  const worksheets = tabs.flatMap(({ id, isHidden }) =>
    relationships
      .filter((one) => one.id === id && one.kind === 'worksheet')
      .map(({ target }) => ({ target, isHidden })),
  );
  if (worksheets.length === 0) throw new UnreadableWorkbook('it has no worksheet');
  for (const { target, isHidden } of worksheets.sort(visibleFirst)) {
    yield { ...sheetRows(await parts.read(target), { texts, isDate, is1904 }), isHidden };
  }
}

async function workbookPart(parts: WorkbookPackage): Promise<string> {
  const [document] = (await parts.relationships('')).filter(({ kind }) => kind === 'officedocument');
  const name = document?.target ?? USUAL_WORKBOOK;
  const isBinary = name.toLowerCase().endsWith('.bin');
  if (parts.has(name) && !isBinary) return name;
  if (isBinary || parts.has('xl/workbook.bin'))
    throw new UnreadableWorkbook('it is an .xlsb workbook; save it as .xlsx');
  if (parts.has('content.xml')) throw new UnreadableWorkbook('it is an OpenDocument file; save it as .xlsx');
  throw new UnreadableWorkbook(NOT_A_WORKBOOK);
}

const NOT_A_WORKBOOK = 'it is a zip file but not an .xlsx workbook';

interface Tab {
  /** Id of the relationship to its part. */
  id: string;
  isHidden: boolean;
}

function readBook(bytes: Buffer): { tabs: Tab[]; is1904: boolean } {
  const tabs: Tab[] = [];
  let is1904 = false;
  readXml(bytes, {
    open: (path, attributes) => {
      if (!path.startsWith('workbook')) throw new UnreadableWorkbook(NOT_A_WORKBOOK);
      if (path === 'workbook/workbookPr') is1904 = isTrue(attribute(attributes, 'date1904'));
      if (path !== 'workbook/sheets/sheet') return;
      const isHidden = /^(hidden|veryHidden)$/i.test(attribute(attributes, 'state') ?? '');
      tabs.push({ id: prefixedAttribute(attributes, 'id') ?? '', isHidden });
    },
  });
  return { tabs, is1904 };
}

const ITEM = 'sst/si';
/** Runs of rich text, without phonetic ones. */
const RUNS: ReadonlySet<string> = new Set([`${ITEM}/t`, `${ITEM}/r/t`]);

/** Returns the shared texts of a workbook in order. */
function sharedTexts(bytes: Buffer): string[] {
  const texts: string[] = [];
  let text = '';
  readXml(bytes, {
    open: (path) => {
      if (path === ITEM) text = '';
    },
    text: (path, piece) => {
      if (RUNS.has(path)) text += piece;
    },
    close: (path) => {
      if (path === ITEM) texts.push(unescaped(text));
    },
  });
  return texts;
}

/** Returns a function that takes the index of a style and returns true if that style shows dates. */
function dateStyles(bytes: Buffer): (style: number) => boolean {
  const codes = new Map<number, string>();
  const formats: number[] = [];
  readXml(bytes, {
    open: (path, attributes) => {
      const id = Number(attribute(attributes, 'numFmtId') ?? 0);
      if (path === 'styleSheet/numFmts/numFmt') codes.set(id, attribute(attributes, 'formatCode') ?? '');
      else if (path === 'styleSheet/cellXfs/xf') formats.push(id);
    },
  });
  const isDate = (id: number): boolean => {
    const code = codes.get(id);
    return code === undefined ? isBuiltInDate(id) : isDateFormat(code);
  };
  const styles = formats.map(isDate);
  return (style) => styles[style] ?? false;
}

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

interface SheetContext {
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
function sheetRows(bytes: Buffer, context: SheetContext): { rows: Iterable<SheetCells>; isCut: boolean } {
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
