import type { ContactFileFormat } from '../../../domain/contact-file-format';
import { assertNever } from '../../../domain/assert-never';
import { readContacts, type ReadSheet, readHeader, type ColumnMeaning } from './contacts';
import { readCsvRows } from './csv';
import {
  type ContactFile,
  type ContactFileRefusal,
  type SheetRow,
  noContacts,
  shown,
  type RowFault,
  refuseFile,
} from './result';
import { readWorkbookRows } from './workbook/reader-process';

/** `format` is detected from the content, not from the file's name. */
export type ReadContactFile = ReadSheet & { format: ContactFileFormat };

/**
 * Reads a whole contact file, or rejects it with its invalid rows. The content is in memory, so limit its size before.
 */
export async function readContactFile(file: ContactFile): Promise<ReadContactFile | ContactFileRefusal> {
  const sheet = await readSheet(file);
  if ('code' in sheet) return sheet;
  const result = await readContacts(sheet.rows, file.rules);
  return 'contacts' in result ? { ...result, format: sheet.format } : result;
}

/** Returns all rows of a file, the header first, without checking their content. */
async function readSheet({
  filename,
  content,
}: Pick<ContactFile, 'filename' | 'content'>): Promise<
  { format: ContactFileFormat; rows: SheetRow[] } | ContactFileRefusal
> {
  const format = detectFormat(filename, content);
  if (typeof format !== 'string') return format;
  const rows = await readRows(format, content);
  return Array.isArray(rows) ? { format, rows } : rows;
}

/** Workbooks are read in a separate process. */
function readRows(format: ContactFileFormat, content: Buffer): Promise<SheetRow[] | ContactFileRefusal> {
  switch (format) {
    case 'csv':
      return readCsvRows(content);
    case 'xlsx':
    case 'xls':
      return readWorkbookRows(format, content);
    default:
      return assertNever(format);
  }
}

const FIRST_ROWS = 5;

/** Preview of a readable contact file, even of one that create would reject. Long texts are truncated, as in faults. */
export interface ContactFilePreview {
  format: ContactFileFormat;
  columns: { title: string; meaning: ColumnMeaning }[];
  /** The first rows, each cut to the number of columns. */
  firstRows: SheetRow[];
  rowsTotal: number;
  /** The first hundred faults; `faultsTotal` counts all. */
  faults: RowFault[];
  faultsTotal: number;
}

/** Reads the file as `readContactFile` does. Rejects it only if it has no rows, or too many. */
export async function previewContactFile(
  file: ContactFile,
): Promise<ContactFilePreview | ContactFileRefusal> {
  const sheet = await readSheet(file);
  if ('code' in sheet) return sheet;
  const [header, ...body] = sheet.rows;
  if (header === undefined) return noContacts();
  const result = await readContacts(sheet.rows, file.rules);
  const refusal = 'code' in result ? result : null;
  if (refusal !== null && refusal.detailsTotal === 0) return refusal;
  const { titles, meanings } = readHeader(header).columns;
  return {
    format: sheet.format,
    columns: titles.map((title, index) => ({ title: shown(title), meaning: meanings[index] ?? 'unclear' })),
    firstRows: body.slice(0, FIRST_ROWS).map(({ row, cells }) => ({
      row,
      cells: cells.slice(0, titles.length).map(shown),
    })),
    rowsTotal: body.length,
    faults: refusal?.details ?? [],
    faultsTotal: refusal?.detailsTotal ?? 0,
  };
}

const EXTENSION = /\.(csv|xlsx|xls)$/i;
const ZIP_START = Buffer.from([0x50, 0x4b, 0x03, 0x04]);
const MARKUP_START = Buffer.from('<');
const OLE_START = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

/**
 * Detects the format from the content, because people rename files and spreadsheets save text under any name. A file without one of the
 * three extensions is rejected, because it was probably sent by mistake.
 */
export function detectFormat(filename: string, content: Buffer): ContactFileFormat | ContactFileRefusal {
  if (!EXTENSION.test(filename)) return refuseFile('its name must end in .csv, .xlsx or .xls');
  if (startsWith(content, ZIP_START)) return 'xlsx';
  if (startsWith(content, OLE_START)) return 'xls';
  // Many web applications export HTML tables named .xls.
  if (startsWith(content, MARKUP_START))
    return refuseFile('it is a web page or XML; save it as .xlsx or .csv');
  return 'csv';
}

function startsWith(content: Buffer, start: Buffer): boolean {
  return content.subarray(0, start.length).equals(start);
}
