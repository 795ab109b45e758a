import { assertNever } from '../../workflows/domain/assert-never';
import { readContacts, type ReadSheet } from './contacts';
import { readCsvRows } from './csv-rows';
import { detectFormat, type FileFormat } from './format';
import type { ContactFile, ContactFileRefusal, SheetRow } from './result';
import { readWorkbookRows } from './workbook/workbook-rows';

/** `format` is what the content is, whatever the name says. */
export type ReadContactFile = ReadSheet & { format: FileFormat };

/**
 * Reads an uploaded contact file whole, or refuses it with the rows at fault. The size of the upload is
 * limited before: the content is in memory.
 */
export async function readContactFile(file: ContactFile): Promise<ReadContactFile | ContactFileRefusal> {
  const format = detectFormat(file.filename, file.content);
  if (typeof format !== 'string') return format;
  const rows = await readRows(format, file.content);
  if (!Array.isArray(rows)) return rows;
  const result = readContacts(rows, file.rules);
  return 'contacts' in result ? { ...result, format } : result;
}

/** Asynchronous for the workbook formats, which are read in a process of their own. */
function readRows(format: FileFormat, content: Buffer): Promise<SheetRow[] | ContactFileRefusal> {
  switch (format) {
    case 'csv':
      return Promise.resolve(readCsvRows(content));
    case 'xlsx':
    case 'xls':
      return readWorkbookRows(format, content);
    default:
      return assertNever(format);
  }
}
