/** Endpoints for contact files: preview a file as create would read it, and download the file of a campaign. */
import { stringify } from 'csv-stringify/sync';
import { contactFileOf } from '../../db/campaigns/campaigns';
import { contactsOfFile, type FileContact } from '../../db/campaigns/contacts';
import { CONTACT_FILE_FORMATS } from '../../domain/contact-file-format';
import type { RouteTools } from '../dependencies';
import { organizationIdOf } from '../http/auth/signed-url';
import { answers, answersFile, byKey, byKeyOrSignature, endpoint, type Body } from '../http/endpoint';
import { MAX_FILE_BYTES } from '../http/input/forms';
import { integer, oneOf, text } from '../http/schema/kinds';
import { campaignNotFound, contactFileRefusals, fileNotFound, fileTooLarge } from '../http/errors/refusals';
import type { UploadedFile } from '../http/input/uploads';
import { about, list, nullable, object, type ValueOf } from '../http/schema/field';
import { COLUMN_MEANINGS } from './contact-file/contacts';
import { MAX_SHEET_ROWS } from './contact-file/result';
import { previewContactFile, type ContactFilePreview } from './contact-file/read-contact-file';
import { contactFileForm, withContent } from './contact-file/file-shares';
import { fileRefused } from './create';
import { campaignParams, contactFile, contactFileEncoding, EXAMPLE_CAMPAIGN, readFile } from './schema';

const { csv_file } = EXAMPLE_CAMPAIGN;

const previewBody: Body<UploadedFile> = {
  content: { 'multipart/form-data': object({ csv_file: contactFile }, { name: 'PreviewContactFile' }) },
  encoding: contactFileEncoding,
  examples: { contacts: { summary: 'Two contacts', value: { csv_file } } },
  read: async (ctx) => readFile(await contactFileForm(ctx)),
};

const column = object(
  {
    title: text(),
    meaning: about(
      oneOf(...COLUMN_MEANINGS),
      'Use of the column: the name, the number or a variable of the contact. `unclear` if its header is invalid',
    ),
  },
  { name: 'ContactFileColumn' },
);

const row = object(
  {
    row: about(integer(1), 'Row number in the spreadsheet'),
    cells: about(list(text()), 'At most one cell per column'),
  },
  { name: 'ContactFileRow' },
);

const fault = object(
  {
    row: integer(1),
    column: about(nullable(text()), 'Null if the whole row is at fault'),
    value: nullable(text()),
    reason: text(),
  },
  { name: 'ContactFileFault' },
);

const contactFilePreview = object(
  {
    format: about(
      oneOf(...CONTACT_FILE_FORMATS),
      'Format, detected from the content instead of the file name',
    ),
    columns: list(column),
    rows: about(list(row), 'First five rows below the header'),
    rows_total: about(integer(0, MAX_SHEET_ROWS), 'Number of rows below the header'),
    faults: about(list(fault), 'First hundred faults. Create accepts only a file without faults'),
    faults_total: integer(0),
  },
  { name: 'ContactFilePreview' },
);

const present = (preview: ContactFilePreview): ValueOf<typeof contactFilePreview> => ({
  format: preview.format,
  columns: preview.columns,
  rows: preview.firstRows,
  rows_total: preview.rowsTotal,
  faults: preview.faults,
  faults_total: preview.faultsTotal,
});

export const previewingFile = ({ deps: { settings } }: RouteTools) =>
  endpoint({
    method: 'post',
    path: '/api/campaigns/contact-file/preview',
    tag: 'Campaigns',
    summary: 'Preview a contact file',
    description:
      'Returns columns, first rows and faults as create would read them. Nothing is stored. A file that cannot be read as rows is rejected as by create. Texts are truncated to 200 characters.',
    access: byKey,
    scope: 'operate',
    errors: 'envelope',
    input: { body: previewBody },
    answer: answers('The preview', contactFilePreview),
    refusals: [...contactFileRefusals(), fileTooLarge(MAX_FILE_BYTES)],
    async handle({ body }, organization) {
      const { allowedCountries, allowedNumberTypes } = settings;
      const preview = await withContent(body, organization, (content) =>
        previewContactFile({
          filename: body.filename,
          content,
          rules: { allowedCountries, allowedNumberTypes },
        }),
      );
      if ('code' in preview) throw fileRefused(preview);
      return preview;
    },
    present,
  });

const FILE_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xls: 'application/vnd.ms-excel',
};

const isFileType = (extension: string): extension is keyof typeof FILE_TYPES =>
  Object.hasOwn(FILE_TYPES, extension);

export const downloadingFile = ({ deps: { db, storage } }: RouteTools) =>
  endpoint({
    method: 'get',
    path: '/api/campaigns/:campaign_id/file',
    tag: 'Campaigns',
    summary: 'Download the contact file',
    access: byKeyOrSignature,
    scope: 'read',
    input: { params: campaignParams },
    answer: answersFile('The file', 'text/csv', FILE_TYPES.xlsx, FILE_TYPES.xls),
    refusals: [campaignNotFound(), fileNotFound()],
    handle: async ({ params }, reader) => {
      const { campaign_id: campaignId } = params;
      const file = await contactFileOf(db, campaignId, organizationIdOf(reader));
      if (file === undefined) throw campaignNotFound();
      if (file.isPast || (file.key === null && file.lastRow === 0)) throw fileNotFound();
      if (file.key === null) {
        const content = fileOfContacts(file.columns, await contactsOfFile(db, campaignId, file.lastRow));
        return { name: `${campaignId}.csv`, content, bytes: content.length };
      }
      const stored = await storage.read(file.key);
      if (stored === undefined) throw fileNotFound();
      return { name: file.key, ...stored };
    },
    present: ({ name, content, bytes }, { ctx }) => {
      const extension = name.slice(name.lastIndexOf('.') + 1);
      ctx.type = isFileType(extension) ? FILE_TYPES[extension] : 'application/octet-stream';
      ctx.attachment(`contacts-${name}`);
      ctx.set('Content-Length', String(bytes));
      return content;
    },
  });

/**
 * Rebuilds a campaign's contact file after a person was erased. It is always CSV, because a spreadsheet also keeps its editor's data. Lines
 * of erased people are left empty, so that row numbers stay the same.
 */
export function fileOfContacts(columns: readonly string[], contacts: readonly FileContact[]): Buffer {
  const rows: unknown[][] = [['name', 'phone_number', ...columns]];
  for (const contact of contacts) {
    // Keep lines that were blank in the upload.
    while (rows.length < contact.row - 1) rows.push([]);
    rows.push(contact.phoneNumber === '' ? [] : rowOf(columns, contact));
  }
  return Buffer.from(stringify(rows, { record_delimiter: 'windows', quoted_match: /[;\t\r\n]|^\s|\s$/ }));
}

const rowOf = (columns: readonly string[], { name, phoneNumber, variables }: FileContact): string[] => [
  name,
  phoneNumber,
  ...columns.map((column) => cellOf(variables[column])),
];

function cellOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
