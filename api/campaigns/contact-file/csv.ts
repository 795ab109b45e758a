import { once } from 'node:events';
import { isUtf8 } from 'node:buffer';
import { CsvError as PiecewiseCsvError, parse as parser, type Parser } from 'csv-parse';
import { CsvError, parse, type Options } from 'csv-parse/sync';
import { readHeader, tooManyColumns } from './contacts';
import { TimeSlice, inTurns } from '../../../runtime/loop-turn';
import {
  MAX_CONTACTS,
  MAX_RECORD_BYTES,
  MAX_SHEET_ROWS,
  refuseFile,
  RowFaults,
  type ContactFileRefusal,
  type SheetRow,
  LOST,
} from './result';

export const DELIMITERS = [',', ';', '\t'] as const;

const LF = 0x0a;
const CR = 0x0d;

/** 10 MiB of short cells take a second, so other requests are served between pieces. The slowest piece takes 5 ms. */
const PIECE_BYTES = 1024;

export const BASE: Options = {
  bom: true,
  columns: false,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  // Without this limit, a missing closing quote would swallow the rest of the file.
  max_record_size: MAX_RECORD_BYTES,
};

/**
 * Returns the rows of a CSV file without blank ones, the header first. Row numbers count records instead of lines, because spreadsheets
 * number rows in the same way when a quoted cell contains a line break.
 */
export async function readCsvRows(content: Buffer): Promise<SheetRow[] | ContactFileRefusal> {
  const utf16 = refuseUtf16(content);
  if (utf16 !== null) return utf16;
  const { delimiter: named, content: table } = namedDelimiter(content);
  const delimiters = named === null ? DELIMITERS : [named];
  const text = withoutFormulaSigns(withoutTrailingBlanks(table, delimiters), delimiters);
  try {
    const { delimiter, header } = sniffHeader(text, delimiters);
    const tooWide = tooManyColumns({ ...header, cells: header.cells.slice(0, filledWidth(header.cells)) });
    if (tooWide !== null) return tooWide;
    const rows = await parseRows(text, delimiter);
    if (!Array.isArray(rows)) return rows;
    cutBlankColumns(rows);
    const faults = new RowFaults();
    await addTextFaults(text, rows, faults);
    return faults.isEmpty ? rows : faults.refusal();
  } catch (error) {
    if (isCsvError(error)) return refuseRecord(error);
    throw error;
  }
}

/** Checks both classes, because the package exports each error class twice. */
export const isCsvError = (error: unknown): error is CsvError =>
  error instanceof CsvError || error instanceof PiecewiseCsvError;

/**
 * Spreadsheets save formatted but empty rows as lines of delimiters. Removing them before parsing saves seconds during which other requests
 * would wait.
 */
function withoutTrailingBlanks(content: Buffer, delimiters: readonly string[]): Buffer {
  // A lookup table, because ten million set lookups take a tenth of a second.
  const isBlank = new Uint8Array(256);
  for (const byte of Buffer.from(`\r\n \t${delimiters.join('')}`)) isBlank[byte] = 1;
  let end = content.length;
  while (end > 0 && isBlank[content[end - 1] ?? 0] === 1) end -= 1;
  if (end === 0) return content.subarray(0, 0);
  // Keep the rest of the last row's line: its delimiters are the row's own empty cells.
  while (end < content.length && content[end] !== LF && content[end] !== CR) end += 1;
  return content.subarray(0, end);
}

/** Limits the number of rows, because the parser creates an error for each row that doesn't have the header's length. */
async function parseRows(content: Buffer, delimiter: string): Promise<SheetRow[] | ContactFileRefusal> {
  const rows: SheetRow[] = [];
  let records = 0;
  const reading = parser({ ...BASE, delimiter, to: MAX_SHEET_ROWS + 1 });
  reading.on('data', (cells: string[]) => {
    records += 1;
    if (!isBlank(cells)) rows.push({ row: records, cells: cells.map(formulaText) });
  });
  await inPieces(reading, content);
  if (records <= MAX_SHEET_ROWS || rows.length > MAX_CONTACTS + 1) return rows;
  return refuseFile(
    `it has more than ${MAX_SHEET_ROWS.toLocaleString('en')} rows, most of them blank; delete the blank rows`,
  );
}

async function inPieces(reading: Parser, content: Buffer): Promise<void> {
  const end = once(reading, 'end');
  // `end` is awaited below. Without this, an earlier error would be an unhandled rejection.
  end.catch(() => undefined);
  const slice = new TimeSlice();
  for (let at = 0; at < content.length; at += PIECE_BYTES) {
    // The parser ends itself after its last row or an error, and then accepts no more input.
    if (reading.writableEnded || reading.destroyed) break;
    withoutStacks(() => reading.write(content.subarray(at, at + PIECE_BYTES)));
    await slice.end();
  }
  reading.end();
  await end;
}

/** Disables stack traces, which are most of the cost of a parser error: 8,000 rows took a third of a second. */
export function withoutStacks(parse: () => void): void {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    parse();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Returns the delimiter with which the header has both required columns, or else the one that yields the most columns. */
export function sniffHeader(
  content: Buffer,
  delimiters: readonly string[],
): { delimiter: string; header: SheetRow } {
  const headers = delimiters.map((delimiter) => ({ delimiter, header: firstRecord(content, delimiter) }));
  const complete = headers.find(({ header }) => {
    const { columns } = readHeader(header);
    return columns.name !== null && columns.phone !== null;
  });
  const widest = headers.reduce((best, next) =>
    next.header.cells.length > best.header.cells.length ? next : best,
  );
  return complete ?? widest;
}

function firstRecord(content: Buffer, delimiter: string): SheetRow {
  const none = { row: 1, cells: [] };
  try {
    const start = content.subarray(0, 2 * MAX_RECORD_BYTES);
    const records = parse(start, { ...BASE, delimiter, to: 20 });
    const index = records.findIndex((cells) => !isBlank(cells));
    return index < 0 ? none : { row: index + 1, cells: (records[index] ?? []).map(formulaText) };
  } catch (error) {
    // Parsing the whole file with the chosen delimiter reports the fault with its row.
    if (error instanceof CsvError) return none;
    throw error;
  }
}

/** Removes trailing columns that are blank in every row. Spreadsheets save them if they were ever formatted. */
function cutBlankColumns(rows: readonly SheetRow[]): void {
  const width = rows.reduce((max, { cells }) => Math.max(max, filledWidth(cells)), 0);
  for (const { cells } of rows) cells.length = Math.min(cells.length, width);
}

export function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

function refuseRecord(error: { code: CsvError['code']; records?: unknown }): ContactFileRefusal {
  const records = typeof error.records === 'number' ? error.records : 0;
  const faults = new RowFaults();
  faults.add({ row: records + 1, column: null, value: null, reason: reasonOf(error) });
  return faults.refusal();
}

export function reasonOf(error: Pick<CsvError, 'code'>): string {
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'has an opening quote that is never closed';
    case 'INVALID_OPENING_QUOTE':
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE':
      return 'has a quote inside a cell; put the cell in quotes and double the quotes in it';
    case 'CSV_MAX_RECORD_SIZE':
      return `is longer than ${MAX_RECORD_BYTES / 1024} KiB; check for a quote that is never closed`;
    default:
      return 'is not valid CSV';
  }
}

/** The delimiter can't be a letter, a digit or a quote. */
const FIRST_LINE = /^\ufeff?("?)sep=([^\p{L}\p{N}"\r\n])\1[ \t]*(?:\r\n|\n|\r|$)/iu;

/**
 * Reads a first line such as `sep=;`, which tells Excel the delimiter and isn't a row. Returns the content after it; `delimiter` is null
 * if there is no such line.
 */
export function namedDelimiter(content: Buffer): { delimiter: string | null; content: Buffer } {
  const [line, , delimiter] = FIRST_LINE.exec(content.toString('utf8', 0, 64)) ?? [];
  if (line === undefined || delimiter === undefined) return { delimiter: null, content };
  return { delimiter, content: content.subarray(Buffer.byteLength(line)) };
}

const QUOTE = 0x22;
const EQUALS = 0x3d;
const NOTHING = Buffer.alloc(0);

/**
 * Programs write `="0123"` to make Excel keep the zero. This removes the equals sign, which leaves a quoted cell. The same text inside
 * another quoted cell is kept. The content can be passed in pieces.
 */
export class FormulaSigns {
  private readonly starts = new Uint8Array(256);
  private isQuoted = false;
  private isStart = true;
  /** An equals sign at the end of the last piece, whose meaning depends on the next one. */
  private held: Buffer = NOTHING;

  constructor(delimiters: readonly string[]) {
    for (const byte of Buffer.from(`\r\n${delimiters.join('')}`)) this.starts[byte] = 1;
  }

  remove(piece: Buffer): Buffer {
    const content = this.held.length === 0 ? piece : Buffer.concat([this.held, piece]);
    this.held = NOTHING;
    const kept = Buffer.allocUnsafe(content.length);
    let length = 0;
    for (let at = 0; at < content.length; at += 1) {
      const byte = content[at] ?? 0;
      if (this.isStart && byte === EQUALS && at + 1 === content.length) this.held = content.subarray(at);
      if (this.isStart && byte === EQUALS && (at + 1 === content.length || content[at + 1] === QUOTE))
        continue;
      if (byte === QUOTE) this.isQuoted = !this.isQuoted;
      this.isStart = !this.isQuoted && this.starts[byte] === 1;
      kept[length] = byte;
      length += 1;
    }
    return kept.subarray(0, length);
  }

  /** Returns the rest of the content after the last piece. */
  rest(): Buffer {
    return this.held;
  }
}

function withoutFormulaSigns(content: Buffer, delimiters: readonly string[]): Buffer {
  if (!content.includes('="')) return content;
  const signs = new FormulaSigns(delimiters);
  return Buffer.concat([signs.remove(content), signs.rest()]);
}

const FORMULA_TEXT = /^="((?:[^"]|"")*)"$/;

/** Returns the text of a cell that was written as `"=""0123"""`. Other formulas are returned unchanged. */
export function formulaText(cell: string): string {
  if (!cell.startsWith('="')) return cell;
  return FORMULA_TEXT.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell;
}

/** Returns the number of cells up to the last one that isn't blank. */
export function filledWidth(cells: readonly string[]): number {
  let width = cells.length;
  while (width > 0 && (cells[width - 1] ?? '').trim() === '') width -= 1;
  return width;
}

const UTF16_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/** Returns null if the content isn't UTF-16. Invalid UTF-8 is reported later, with its cells. */
export function refuseUtf16(content: Buffer): ContactFileRefusal | null {
  const marked = UTF16_MARKS.some((mark) => content.subarray(0, 2).equals(mark));
  // Without a byte order mark, UTF-16 is recognized by a NUL byte in its first character.
  const unmarked = content.length >= 2 && (content[0] === 0) !== (content[1] === 0);
  if (!marked && !unmarked) return null;
  return refuseFile('it is encoded in UTF-16; save it as CSV UTF-8');
}

const HASHES = /^#{3,}$/;
const ERROR = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|SPILL!|CALC!)$/;

/** Reports the cells whose text was lost before the upload, by a wrong encoding or by the spreadsheet that saved it. */
async function addTextFaults(content: Buffer, rows: readonly SheetRow[], faults: RowFaults): Promise<void> {
  const isValid = isUtf8(content);
  // Search the cells only if the whole content shows a sign of lost text.
  const isSuspect = !isValid || ['\0', '#', LOST.character].some((sign) => content.includes(sign));
  if (!isSuspect) return;
  const header = rows[0]?.cells ?? [];
  for await (const { row, cells } of inTurns(rows)) {
    for (const [index, value] of cells.entries()) {
      const reason = textFault(value, isValid);
      if (reason === null) continue;
      const column = header[index]?.trim() ?? null;
      faults.add({ row, column, value: value.replaceAll('\0', ''), reason });
    }
  }
}

/** `isValid` is null if the file is read in pieces, so that the cause of a damaged character is unknown. */
export function textFault(value: string, isValid: boolean | null): string | null {
  if (value.includes('\0')) return 'contains a NUL byte';
  // The parser writes U+FFFD for bytes that aren't UTF-8.
  if (value.includes(LOST.character)) {
    if (isValid === null) return `${LOST.reason}, or save the file as CSV UTF-8`;
    return isValid ? LOST.reason : 'is not encoded in UTF-8; save the file as CSV UTF-8';
  }
  if (!value.startsWith('#')) return null;
  if (HASHES.test(value))
    return 'was saved as #### because its column was too narrow; widen the column and save the file again';
  return ERROR.test(value) ? `contains the formula error ${value}` : null;
}
