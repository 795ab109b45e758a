import type { ContactFileFormat } from '../../../workflows/domain/contact-file-format';
import { assertNever } from '../../../workflows/domain/assert-never';
import { serviceUnavailable } from '../../http/errors/refusals';
import { readContacts, type ReadSheet } from './contacts';
import { readCsvRows } from './csv-rows';
import { detectFormat } from './format';
import type { ContactFile, ContactFileRefusal, SheetRow } from './result';
import { Turns } from './workbook/turns';
import { readWorkbookRows } from './workbook/workbook-rows';

/** `format` is what the content is, whatever the name says. */
export type ReadContactFile = ReadSheet & { format: ContactFileFormat };

/**
 * Reads an uploaded contact file whole, or refuses it with the rows at fault. The size of the upload is
 * limited before: the content is in memory.
 */
export async function readContactFile(file: ContactFile): Promise<ReadContactFile | ContactFileRefusal> {
  const sheet = await readSheet(file);
  if ('code' in sheet) return sheet;
  const result = await readContacts(sheet.rows, file.rules);
  return 'contacts' in result ? { ...result, format: sheet.format } : result;
}

/** The rows of a file, the header first, before anything is known of what they hold. */
export async function readSheet({
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

/** Workbooks are read in a process of their own. */
function readRows(format: ContactFileFormat, content: Buffer): Promise<SheetRow[] | ContactFileRefusal> {
  switch (format) {
    case 'csv':
      return readCsv(content);
    case 'xlsx':
    case 'xls':
      return readWorkbookRows(format, content);
    default:
      return assertNever(format);
  }
}

/** Larger ones come in turn: several at once would be as many pieces of work between two steps of another request. */
const SMALL_BYTES = 64 * 1024;
const turns = new Turns({ atOnce: 1, waiting: 20, waitMs: 8_000 });

async function readCsv(content: Buffer): Promise<SheetRow[] | ContactFileRefusal> {
  if (content.length <= SMALL_BYTES) return readCsvRows(content);
  const rows = await turns.take(() => readCsvRows(content));
  if (rows === null) throw serviceUnavailable();
  return rows;
}
