import type { ContactFileFormat } from '../../../domain/contact-file-format';
import { readContacts } from './contacts';
import { readHeader, type ColumnMeaning } from './header';
import { readSheet } from './read-contact-file';
import {
  noContacts,
  shown,
  type ContactFile,
  type ContactFileRefusal,
  type RowFault,
  type SheetRow,
} from './result';

const FIRST_ROWS = 5;

/** Preview of a readable contact file, whether or not it would be accepted. Long texts are truncated, as in faults. */
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
