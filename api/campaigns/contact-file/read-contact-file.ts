import type { ContactFileFormat } from '../../../domain/contact-file-format';
import { assertNever } from '../../../domain/assert-never';
import { readContacts, type ReadSheet } from './contacts';
import { readCsvRows } from './csv-rows';
import { detectFormat } from './format';
import type { ContactFile, ContactFileRefusal, SheetRow } from './result';
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
      return readCsvRows(content);
    case 'xlsx':
    case 'xls':
      return readWorkbookRows(format, content);
    default:
      return assertNever(format);
  }
}
