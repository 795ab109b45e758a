/** A contact file as create would read it, before there is anything else of a campaign. */
import { fileRefused } from './checked-campaign';
import { contactFile, contactFileEncoding, EXAMPLE_CAMPAIGN } from './campaign-bodies';
import { readFile } from './campaign-form';
import { contactFileForm, withContent } from './contact-file/file-shares';
import { COLUMN_MEANINGS, MAX_SHEET_ROWS, previewContactFile, type ContactFilePreview } from './contact-file';
import type { RouteTools } from '../dependencies/route-tools';
import { answers, byKey, endpoint, type Body, type Endpoint } from '../http/endpoint';
import { contactFileRefusals, fileTooLarge } from '../http/errors/refusals';
import { MAX_FILE_BYTES } from '../http/input/multipart';
import type { UploadedFile } from '../http/input/uploads';
import { about, list, nullable, object, type ValueOf } from '../http/schema/field';
import { integer, oneOf, text } from '../http/schema/kinds';
import { CONTACT_FILE_FORMATS } from '../../domain/contact-file-format';

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
      'What it is taken for: the name, the number, a variable of the contact; `unclear` where its header is at fault',
    ),
  },
  { name: 'ContactFileColumn' },
);

const row = object(
  {
    row: about(integer(1), "The spreadsheet's row"),
    cells: about(list(text()), 'One for each column at most'),
  },
  { name: 'ContactFileRow' },
);

const fault = object(
  {
    row: integer(1),
    column: about(nullable(text()), 'Null for a whole row'),
    value: nullable(text()),
    reason: text(),
  },
  { name: 'ContactFileFault' },
);

const contactFilePreview = object(
  {
    format: about(oneOf(...CONTACT_FILE_FORMATS), 'What the content is, whatever the name of the file'),
    columns: list(column),
    rows: about(list(row), 'The first five below the header'),
    rows_total: about(integer(0, MAX_SHEET_ROWS), 'Below the header'),
    faults: about(list(fault), 'The first hundred; create takes a file without any'),
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

export const contactFilePreviewEndpoints = ({ deps: { settings } }: RouteTools): Endpoint[] => [
  endpoint({
    method: 'post',
    path: '/api/campaigns/contact-file/preview',
    tag: 'Campaigns',
    summary: 'Show how a contact file is read',
    description:
      'Its columns, its first rows and its faults, read as create reads it; nothing is stored. A file that cannot be read as rows is refused as by create. Texts are cut after 200 characters.',
    access: byKey,
    scope: 'operate',
    errors: 'envelope',
    input: { body: previewBody },
    answer: answers('How it is read', contactFilePreview),
    refusals: [...contactFileRefusals(), fileTooLarge(MAX_FILE_BYTES)],
    async handle({ body }, client) {
      const { allowedCountries, allowedNumberTypes } = settings;
      const preview = await withContent(body, client, (content) =>
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
  }),
];
