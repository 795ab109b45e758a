import { CsvError, parse, type Options } from 'csv-parse/sync';
import { addEncodingFaults, refuseUtf16 } from './csv-encoding';
import { readHeader } from './header';
import {
  MAX_COLUMNS,
  MAX_CONTACTS,
  MAX_RECORD_BYTES,
  MAX_SHEET_ROWS,
  refuseFile,
  RowFaults,
  type ContactFileRefusal,
  type SheetRow,
} from './result';

const DELIMITERS = [',', ';', '\t'] as const;

const LF = 0x0a;
const CR = 0x0d;
const BLANK_BYTES: ReadonlySet<number> = new Set(Buffer.from('\r\n \t,;'));

const BASE: Options = {
  bom: true,
  columns: false,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  // A missing closing quote must not swallow the rest of the file.
  max_record_size: MAX_RECORD_BYTES,
};

/**
 * The rows of a csv file, the header first, blank ones left out. A row's number counts records, not lines:
 * that is how a spreadsheet numbers rows when a quoted cell holds a line end.
 */
export function readCsvRows(content: Buffer): SheetRow[] | ContactFileRefusal {
  const utf16 = refuseUtf16(content);
  if (utf16 !== null) return utf16;
  const text = withoutTrailingBlanks(content);
  try {
    const header = sniffHeader(text);
    if (header.cells.length > MAX_COLUMNS) return refuseFile(`it has more than ${MAX_COLUMNS} columns`);
    const rows = parseRows(text, header.delimiter);
    if (!Array.isArray(rows)) return rows;
    const faults = new RowFaults();
    addEncodingFaults(text, rows, faults);
    return faults.isEmpty ? rows : faults.refusal();
  } catch (error) {
    if (error instanceof CsvError) return refuseRecord(error);
    throw error;
  }
}

/**
 * Spreadsheets save a million formatted but empty rows as lines of delimiters. They are cut before parsing,
 * which would take seconds for them and block every other request.
 */
function withoutTrailingBlanks(content: Buffer): Buffer {
  let end = content.length;
  while (end > 0 && BLANK_BYTES.has(content[end - 1] ?? 0)) end -= 1;
  if (end === 0) return content.subarray(0, 0);
  // Up to the next line end: the delimiters there are the last row's own empty cells.
  while (end < content.length && content[end] !== LF && content[end] !== CR) end += 1;
  return content.subarray(0, end);
}

/**
 * Records are filtered afterwards: the parser's own callback per record doubles the time (18 to 38 ms). It makes an error, with its
 * stack, for each row whose length is not the header's: 37 µs, so that a million rows would hold up other requests for seconds.
 */
function parseRows(content: Buffer, delimiter: string): SheetRow[] | ContactFileRefusal {
  const records = parse(content, { ...BASE, delimiter, to: MAX_SHEET_ROWS + 1 });
  const rows = records
    .map((cells, index) => ({ row: index + 1, cells }))
    .filter(({ cells }) => !isBlank(cells));
  if (records.length <= MAX_SHEET_ROWS || rows.length > MAX_CONTACTS + 1) return rows;
  return refuseFile(`it has more than ${MAX_SHEET_ROWS} rows, most of them blank`);
}

/** The delimiter under which the header has both required columns, else the one that gives most columns. */
function sniffHeader(content: Buffer): { delimiter: string; cells: string[] } {
  const headers = DELIMITERS.map((delimiter) => ({ delimiter, cells: firstRecord(content, delimiter) }));
  const complete = headers.find(({ cells }) => {
    const { columns } = readHeader({ row: 1, cells });
    return columns.name !== null && columns.phone !== null;
  });
  const widest = headers.reduce((best, next) => (next.cells.length > best.cells.length ? next : best));
  return complete ?? widest;
}

function firstRecord(content: Buffer, delimiter: string): string[] {
  try {
    const start = content.subarray(0, 2 * MAX_RECORD_BYTES);
    return parse(start, { ...BASE, delimiter, skip_empty_lines: true, to: 1 })[0] ?? [];
  } catch (error) {
    // The full parse under the chosen delimiter reports the fault with its row.
    if (error instanceof CsvError) return [];
    throw error;
  }
}

function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

function refuseRecord(error: CsvError): ContactFileRefusal {
  const records = typeof error.records === 'number' ? error.records : 0;
  const faults = new RowFaults();
  faults.add({ row: records + 1, column: null, value: null, reason: reasonOf(error) });
  return faults.refusal();
}

function reasonOf(error: CsvError): string {
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'opens a quote that is never closed';
    case 'INVALID_OPENING_QUOTE':
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE':
      return 'has a quote inside a cell; put the cell in quotes and double the quotes in it';
    case 'CSV_MAX_RECORD_SIZE':
      return `is longer than ${MAX_RECORD_BYTES / 1024} KiB; is a quote never closed?`;
    default:
      return 'cannot be read as csv';
  }
}
