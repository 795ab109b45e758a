/** Files for contact lists: every kind of fault in a row, faults of a whole file, and sizes. */
import { keptOf } from '../../db/organizations/quotas';
import { xlsxOf } from './support/workbook';
import { StorageUnavailable } from '../../runtime/storage/file-storage';
import { openTestApi, type Answer, type TestApi, type TestOrganization } from './support/test-api';

let api: TestApi;
let organization: TestOrganization;
let path: string;

beforeAll(async () => {
  api = await openTestApi({ settings: { allowedCountries: ['IN', 'US'] } });
});
beforeEach(async () => {
  organization = await api.newOrganization();
  const { body } = await api.ask('/api/contact-lists', { as: organization, json: { name: 'Customers' } });
  path = `/api/contact-lists/${body.id}/contacts`;
});
afterAll(() => api.close());

function upload(content: string | Uint8Array, name = 'contacts.csv'): Promise<Answer> {
  const body = new FormData();
  body.append('csv_file', new Blob([content]), name);
  return api.ask(path, { as: organization, method: 'POST', body });
}
const contacts = async (query = ''): Promise<any[]> =>
  (await api.ask(`${path}${query}`, { as: organization })).body.data;
const code = ({ status, body }: Answer) => [status, body.code ?? body.detail?.code];

test('reads all fields of a CSV file, and other columns as metadata', async () => {
  const { status, body } = await upload(
    'External ID;Full Name;Mobile;Time Zone;language;consent_at;consent_source;city\n' +
      'crm-1;"Rao; Asha";="09876543210";Asia/Kolkata;hi;2026-10-01;web form;Pune\n' +
      ';Dev;+12125550123;;;;;\n',
  );
  expect([status, body]).toEqual([200, expect.objectContaining({ added: 2, updated: 0, skipped: 0 })]);
  expect(await contacts()).toMatchObject([
    {
      external_id: 'crm-1',
      name: 'Rao; Asha',
      phone_number: '+919876543210',
      timezone: 'Asia/Kolkata',
      language: 'hi',
      consent_at: '2026-10-01T00:00:00.000Z',
      consent_source: 'web form',
      metadata: { city: 'Pune' },
    },
    { external_id: null, timezone: null, consent_at: null, metadata: { city: '' } },
  ]);
});

const HEADER = 'name,phone_number,external_id,timezone,consent_at,consent_source,note\n';

test.each([
  ['an empty name', ',9876543210,,,,,', 'name', 'is empty'],
  ['a long name', `${'x'.repeat(256)},9876543210,,,,,`, 'name', 'is longer than 255 characters'],
  ['no number', 'Asha,,,,,,', 'phone_number', 'is empty'],
  ['an invalid number', 'Asha,+91123,,,,,', 'phone_number', 'is not a valid phone number'],
  [
    'a rounded number',
    'Asha,9.87E+09,,,,,',
    'phone_number',
    'was rounded by a spreadsheet; format the column as text and enter the number again',
  ],
  [
    'a number of another country',
    'Asha,+442079460000,,,,,',
    'phone_number',
    'belongs to GB, which is not an allowed country',
  ],
  [
    'a long external id',
    `Asha,9876543210,${'x'.repeat(256)},,,,`,
    'external_id',
    'is longer than 255 characters',
  ],
  [
    'an unknown zone',
    'Asha,9876543210,,Pune,,,',
    'timezone',
    'must be the name of an IANA time zone, such as Asia/Kolkata',
  ],
  ['no date of consent', 'Asha,9876543210,,,yes,,', 'consent_at', 'must be a date or an ISO 8601 timestamp'],
  ['too much metadata', `Asha,9876543210,,,,,${'x'.repeat(17_000)}`, null, 'is larger than 16 KiB as JSON'],
  ['too few cells', 'Asha,9876543210', null, 'has more or fewer cells than the header'],
  ['too many cells', 'Asha,9876543210,,,,,,more', null, 'has more or fewer cells than the header'],
  [
    'a quote inside a cell',
    'Asha "A",9876543210,,,,,',
    null,
    'has a quote inside a cell; put the cell in quotes and double the quotes in it',
  ],
  ['a NUL byte', 'As\0ha,9876543210,,,,,', 'name', 'contains a NUL byte'],
  [
    'a damaged character',
    'As\ufffdha,9876543210,,,,,',
    'name',
    'contains a damaged character (U+FFFD); correct the text, or save the file as CSV UTF-8',
  ],
  ['a formula error', 'Asha,9876543210,,,,,#REF!', 'note', 'contains the formula error #REF!'],
])('skips a row with %s and reads the rows around it', async (_what, row, column, reason) => {
  const { status, body } = await upload(`${HEADER}One,9876543211,,,,,\n${row}\nTwo,9876543212,,,,,\n`);
  expect([status, body.added, body.skipped_rows]).toEqual([200, 2, [{ row: 3, column, reason }]]);
  expect(body.skipped_by_reason).toEqual([{ reason, count: 1 }]);
});

test.each([
  ['at the end', 'Three,9876543213,,,,,\n'],
  ['before 100 KiB of text', 'Three,9876543213,,,,,\n'.repeat(5_000)],
])('skips a quote that is never closed and the rows below it, %s', async (_where, rest) => {
  const { status, body } = await upload(`${HEADER}One,9876543211,,,,,\n"Two,9876543212,,,,,\n${rest}`);
  expect([status, body.added, body.skipped]).toEqual([200, 1, 1]);
  expect(body.skipped_rows[0]).toMatchObject({
    row: 3,
    column: null,
    reason: expect.stringMatching(/quote/),
  });
});

test.each([
  ['an unknown extension', 'name,phone_number\nAsha,9876543210\n', 'contacts.txt'],
  ['no number column', 'name,city\nAsha,Pune\n', 'contacts.csv'],
  ['two columns of the same name', 'name,phone_number,city,city\nAsha,9876543210,a,b\n', 'contacts.csv'],
  ['two columns of the same field', 'name,phone_number,timezone,Time Zone\nA,9876543210,,\n', 'contacts.csv'],
  ['UTF-16', Buffer.from('\ufeffname,phone_number\nAsha,9876543210\n', 'utf16le'), 'contacts.csv'],
  ['HTML', '<table></table>', 'contacts.xls'],
])('rejects a file with %s as a whole', async (_what, content, name) => {
  expect(code(await upload(content, name))).toEqual([400, 'INVALID_CONTACT_FILE']);
  expect(await contacts()).toEqual([]);
});

test('rejects an empty file', async () => {
  expect(code(await upload(''))).toEqual([400, 'NO_CONTACTS']);
});

test('returns 422 for a form without a file', async () => {
  const body = new FormData();
  body.append('name', 'x');
  expect((await api.ask(path, { as: organization, method: 'POST', body })).status).toBe(422);
});

test('reads a workbook', async () => {
  const file = await xlsxOf([
    ['name', 'phone_number', 'external_id', 'city'],
    ['Asha', '9876543210', 'crm-1', 'Pune'],
    ['Dev', '12', null, null],
    ['Ravi', '9876543211', null, null],
  ]);
  const { body } = await upload(new Uint8Array(file), 'contacts.xlsx');
  expect(body).toMatchObject({ added: 2, skipped: 1, skipped_rows: [{ row: 3, column: 'phone_number' }] });
  expect((await contacts()).map(({ name, metadata }) => [name, metadata])).toEqual([
    ['Asha', { city: 'Pune' }],
    ['Ravi', { city: '' }],
  ]);
});

test('imports 30,000 rows with faults, reports all of them, and adds nothing when it is repeated', async () => {
  const bad = ['', 'Asha,12,,,,,', 'Asha,9876543210,,Pune,,,', 'Asha,9876543210', 'A "A",9876543210,,,,,'];
  const lines = Array.from({ length: 30_000 }, (_, n) => {
    if (n % 10 === 9) return bad[Math.floor(n / 10) % bad.length];
    return `Contact ${n},9${String(n).padStart(9, '0').replace(/^0/, '8')},${n % 2 === 0 ? `id-${n}` : ''},,,,city ${n}`;
  });
  const file = HEADER + lines.join('\n');
  const first = await upload(file);
  expect(first.status).toBe(200);
  expect(first.body).toMatchObject({ added: 27_000, updated: 0, skipped: 2_400 });
  expect(first.body.skipped_rows).toHaveLength(100);
  expect(first.body.skipped_by_reason.map(({ count }: any) => count)).toEqual([600, 600, 600, 600]);
  const csv = await api.ask(new URL(first.body.skipped_csv).pathname, { as: organization });
  const rows = csv.text.trimEnd().split('\r\n').slice(1);
  expect(rows).toHaveLength(2_400);
  // Line n of the file is row n + 2, because the header is row 1. Blank lines count but are no fault.
  expect(rows.map((line) => Number(line.split(',')[0])).sort((a, b) => a - b)).toEqual(
    lines.flatMap((line, n) => (n % 10 === 9 && line !== '' ? [n + 2] : [])),
  );
  expect((await keptOf(api.db, organization.id)).contacts).toBe(27_000);
  const second = await upload(file);
  expect(second.body).toMatchObject({ added: 0, updated: 27_000, skipped: 2_400 });
  expect((await keptOf(api.db, organization.id)).contacts).toBe(27_000);
});

test('returns 503 and says what is stored if the storage becomes unavailable during an import', async () => {
  const put = jest.spyOn(api.storage, 'putStream');
  put.mockRejectedValue(new StorageUnavailable(new Error('ECONNREFUSED')));
  const lines = Array.from({ length: 3_000 }, (_, n) => `Contact ${n},98765${String(10_000 + n)},,,,,`);
  const file = `${HEADER}${lines.join('\n')}\nAsha,12,,,,,\n`;
  const interrupted = await upload(file);
  put.mockRestore();
  expect(code(interrupted)).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(interrupted.text).toContain('Some contacts are stored. Send the file again');
  expect((await keptOf(api.db, organization.id)).contacts).toBe(2_000);
  expect((await upload(file)).body).toMatchObject({ added: 1_000, updated: 2_000, skipped: 1 });
});

test('returns 503 without changes if the storage is unavailable for a short file', async () => {
  const put = jest.spyOn(api.storage, 'putStream');
  put.mockRejectedValue(new StorageUnavailable(new Error('ECONNREFUSED')));
  const refused = await upload(`${HEADER}Ravi,9876543210,,,,,\nAsha,12,,,,,\n`);
  put.mockRestore();
  expect(refused.status).toBe(503);
  expect(refused.text).toContain('Nothing was changed');
  expect((await keptOf(api.db, organization.id)).contacts).toBe(0);
});
