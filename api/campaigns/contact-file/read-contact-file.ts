import type { ContactFileFormat } from '../../../domain/contact-file-format';
import { assertNever } from '../../../domain/assert-never';
import { readContacts, type ReadSheet } from './contacts';
import { readCsvRows } from './csv-rows';
import { detectFormat } from './format';
import type { ContactFile, ContactFileRefusal, SheetRow } from './result';
import { readWorkbookRows } from './workbook/workbook-rows';

/** `format` is detected from the content, not from the file's name. */
export type ReadContactFile = ReadSheet & { format: ContactFileFormat };

/**
 * Reads a whole contact file, or rejects it with its invalid rows. The content is in memory, so the caller must have limited its size.
 */
export async function readContactFile(file: ContactFile): Promise<ReadContactFile | ContactFileRefusal> {
  const sheet = await readSheet(file);
  if ('code' in sheet) return sheet;
  const result = await readContacts(sheet.rows, file.rules);
  return 'contacts' in result ? { ...result, format: sheet.format } : result;
}

/** Returns all rows of a file, the header first, without checking their content. */
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
