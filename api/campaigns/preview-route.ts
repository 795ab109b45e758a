/** Previews a contact file as create would read it, without creating a campaign. */
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
      'Format detected from the content, whatever the name of the file',
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

export const contactFilePreviewEndpoints = ({ deps: { settings } }: RouteTools): Endpoint[] => [
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
  }),
];
