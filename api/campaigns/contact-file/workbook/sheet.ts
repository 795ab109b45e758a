import type { CellReading } from './cell-text';
import { readHeader, tooManyColumns } from '../contacts';
import {
  LOST,
  MAX_CONTACTS,
  MAX_RECORD_BYTES,
  MAX_SHEET_ROWS,
  noContacts,
  refuseFile,
  RowFaults,
  type ContactFileRefusal,
  type SheetRow,
} from '../result';

export interface SheetCells {
  /** Row number in the spreadsheet, starting at 1. */
  row: number;
  /** Cells from the first column on; gaps are empty cells. */
  cells: CellReading[];
}

export interface Sheet {
  isHidden: boolean;
  rows: Iterable<SheetCells>;
  /** True if further rows were not read. */
  isCut: boolean;
}

/** Sorts visible sheets before hidden ones. */
export const visibleFirst = (one: { isHidden: boolean }, other: { isHidden: boolean }): number =>
  Number(one.isHidden) - Number(other.isHidden);

const MIB = 1024 * 1024;

/** Same as the limit of an upload. A workbook can store a long text once and show it in ten thousand rows. */
const MAX_TEXT_LENGTH = 10 * MIB;

/** Postgres stores neither NUL nor unpaired surrogates. */
const UNSTORABLE = /\0|\p{Surrogate}/u;

/**
 * Returns the rows of the first sheet whose first filled row names both required columns. If there is none, returns the faults of the first
 * filled sheet. Hidden sheets come last and are never used.
 */
export async function chooseSheet(
  sheets: AsyncIterable<Sheet> | Iterable<Sheet>,
): Promise<SheetRow[] | ContactFileRefusal> {
  let refusal: ContactFileRefusal | null = null;
  for await (const sheet of sheets) {
    const rows = sheet.rows[Symbol.iterator]();
    if (sheet.isHidden && refusal !== null) break;
    const header = firstFilled(rows);
    if (header === null) continue;
    if (sheet.isHidden)
      return refuseFile('only its hidden sheets contain data; unhide the sheet with the contacts');
    const titles = textsOf(header.cells);
    const { columns, faults } = readHeader({ row: header.row, cells: titles });
    if (columns.name !== null && columns.phone !== null) {
      return readBody({ row: header.row, cells: titles }, rows, sheet.isCut);
    }
    refusal ??= faults.refusal();
  }
  return refusal ?? noContacts();
}

function firstFilled(rows: Iterator<SheetCells>): SheetCells | null {
  for (let next = rows.next(); next.done !== true; next = rows.next()) {
    const cells = withoutTrailingBlanks(next.value.cells);
    if (cells.length > 0) return { row: next.value.row, cells };
  }
  return null;
}

function readBody(
  header: SheetRow,
  rest: Iterator<SheetCells>,
  isCut: boolean,
): SheetRow[] | ContactFileRefusal {
  const tooWide = tooManyColumns(header);
  if (tooWide !== null) return tooWide;
  const rows: SheetRow[] = [header];
  const faults = new RowFaults();
  let length = addTextFaults(header, header.cells, faults);
  // Stop at the first contact over the limit, because that already rejects the file.
  while (rows.length <= MAX_CONTACTS + 1) {
    const next = rest.next();
    if (next.done === true) break;
    const filled = withoutTrailingBlanks(next.value.cells);
    if (filled.length === 0) continue;
    const row = { row: next.value.row, cells: padded(textsOf(filled), header.cells.length) };
    addCellFaults(row.row, header.cells, filled, faults);
    length += addTextFaults(row, header.cells, faults);
    if (length > MAX_TEXT_LENGTH)
      return refuseFile(`it contains more than ${MAX_TEXT_LENGTH / MIB} MiB of text`);
    rows.push(row);
  }
  if (rows.length > MAX_CONTACTS + 1) return rows;
  if (isCut)
    return refuseFile(
      `it has more than ${MAX_SHEET_ROWS.toLocaleString('en')} rows, most of them blank; delete the blank rows`,
    );
  return faults.isEmpty ? rows : faults.refusal();
}

/** Adds empty cells up to the header's width, because a workbook's rows end with their last filled cell. */
function padded(cells: string[], width: number): string[] {
  while (cells.length < width) cells.push('');
  return cells;
}

function addCellFaults(
  row: number,
  titles: readonly string[],
  cells: readonly CellReading[],
  faults: RowFaults,
): void {
  for (const [index, cell] of cells.entries()) {
    if (typeof cell === 'string') continue;
    faults.add({ row, column: titles[index]?.trim() ?? null, value: null, reason: cell.fault });
  }
}

/** Returns the length of the row's text. */
function addTextFaults({ row, cells }: SheetRow, titles: readonly string[], faults: RowFaults): number {
  const length = cells.reduce((sum, cell) => sum + cell.length, 0);
  if (length > MAX_RECORD_BYTES) {
    const reason = `is longer than ${MAX_RECORD_BYTES / 1024} KiB`;
    faults.add({ row, column: null, value: null, reason });
    return length;
  }
  for (const [index, cell] of cells.entries()) {
    const reason = textFault(cell);
    if (reason === null) continue;
    const column = titles[index]?.trim() ?? null;
    faults.add({ row, column, value: null, reason });
  }
  return length;
}

function textFault(cell: string): string | null {
  if (cell.includes(LOST.character)) return LOST.reason;
  return UNSTORABLE.test(cell)
    ? 'contains a NUL character or an unpaired surrogate, which cannot be stored'
    : null;
}

const textsOf = (cells: readonly CellReading[]): string[] =>
  cells.map((cell) => (typeof cell === 'string' ? cell : ''));

function withoutTrailingBlanks(cells: readonly CellReading[]): CellReading[] {
  let end = cells.length;
  while (end > 0 && isBlank(cells[end - 1] ?? '')) end -= 1;
  return cells.slice(0, end);
}

const isBlank = (cell: CellReading): boolean => typeof cell === 'string' && cell.trim() === '';

/** Rejects a workbook. The message is shown to people and says what they can do. */
export class UnreadableWorkbook extends Error {}
