/** Reads the contacts of a file for a list. Rows at fault don't reject the file. */
import type { PhoneRules } from '../../domain/phone-number';
import { inPieces } from '../../runtime/loop-turn';
import { bare, readHeader } from '../campaigns/contact-file/contacts';
import { openCsv, type CsvStream } from '../campaigns/contact-file/csv-stream';
import { detectFormat } from '../campaigns/contact-file/read-contact-file';
import {
  MAX_CONTACTS,
  noContacts,
  tooManyContacts,
  type ContactFileRefusal,
  type SheetRow,
} from '../campaigns/contact-file/result';
import { readWorkbookRows } from '../campaigns/contact-file/workbook/reader-process';
import { MAX_FILE_BYTES } from '../http/input/forms';
import { fileTooLarge } from '../http/errors/refusals';
import type { UploadedFile } from '../http/input/uploads';
import { EXTRA_FIELDS, readListContact, type ExtraField } from './read-contact';
import type { GivenRow } from './add-contacts';

/** Index of each column that isn't metadata. */
type Layout = { titles: string[]; name: number; phone: number; extra: Map<number, ExtraField> };

/** Reads the header. The rows are read while they are iterated. */
export async function readListFile(
  file: UploadedFile,
  rules: PhoneRules,
): Promise<AsyncIterable<GivenRow[]> | ContactFileRefusal> {
  const sheet = await openSheet(file);
  if ('code' in sheet) return sheet;
  const layout = layoutOf(sheet.header);
  return 'code' in layout ? layout : givenRows(sheet, layout, rules);
}

async function openSheet(file: UploadedFile): Promise<CsvStream | ContactFileRefusal> {
  const format = detectFormat(file.filename, await firstBytes(file));
  if (typeof format !== 'string') return format;
  if (format === 'csv') return openCsv(file.stream());
  if (file.bytes > MAX_FILE_BYTES) throw fileTooLarge(MAX_FILE_BYTES);
  const rows = await readWorkbookRows(format, await file.read());
  if (!Array.isArray(rows)) return rows;
  const [header, ...body] = rows;
  if (header === undefined) return noContacts();
  return body.length > MAX_CONTACTS ? tooManyContacts() : { header, pieces: evenRows(body, header) };
}

async function firstBytes(file: UploadedFile): Promise<Buffer> {
  for await (const chunk of file.stream()) return chunk;
  return Buffer.alloc(0);
}

const ROWS_PER_PIECE = 100;

/** Spreadsheets leave out empty cells at the end of a row. */
async function* evenRows(body: SheetRow[], { cells: { length } }: SheetRow): AsyncGenerator<SheetRow[]> {
  for await (const rows of inPieces(body, ROWS_PER_PIECE))
    yield rows.map(({ row, cells }) => ({
      row,
      cells: Array.from({ length }, (_, index) => cells[index] ?? ''),
    }));
}

function layoutOf(header: SheetRow): Layout | ContactFileRefusal {
  const { columns, faults } = readHeader(header);
  const { titles, name, phone } = columns;
  const extra = new Map<number, ExtraField>();
  for (const [index, title] of titles.entries()) {
    const field = EXTRA_FIELDS.find((each) => bare(each) === bare(title));
    if (field === undefined) continue;
    const isSecond = [...extra.values()].includes(field);
    if (isSecond)
      faults.add({ row: header.row, column: title, value: title, reason: `is a second ${field} column` });
    extra.set(index, field);
  }
  if (!faults.isEmpty || name === null || phone === null) return faults.refusal();
  return { titles, name, phone, extra };
}

async function* givenRows(
  { pieces }: CsvStream,
  layout: Layout,
  rules: PhoneRules,
): AsyncGenerator<GivenRow[]> {
  for await (const piece of pieces)
    yield piece.map((row) => ('cells' in row ? readRow(row, layout, rules) : inColumn(row, layout)));
}

const inColumn = (
  { row, column, reason }: { row: number; column: number | null; reason: string },
  { titles }: Layout,
): GivenRow => ({ row, column: column === null ? null : (titles[column] ?? null), reason });

function readRow({ row, cells }: SheetRow, layout: Layout, rules: PhoneRules): GivenRow {
  const { titles, name, phone, extra } = layout;
  const metadata: Record<string, string> = {};
  const fields: Partial<Record<ExtraField, string>> = {};
  for (const [index, title] of titles.entries()) {
    const field = extra.get(index);
    if (field !== undefined) fields[field] = cells[index] ?? '';
    else if (index !== name && index !== phone) metadata[title] = cells[index] ?? '';
  }
  const given = { name: cells[name], phone_number: cells[phone], ...fields, metadata };
  const read = readListContact(given, rules);
  if (!('reason' in read)) return { row, contact: read };
  const places = { name, phone_number: phone, metadata: null };
  const index =
    read.column in places
      ? places[read.column as keyof typeof places]
      : ([...extra].find(([, field]) => field === read.column)?.[0] ?? null);
  return { row, column: index === null ? null : (titles[index] ?? null), reason: read.reason };
}
