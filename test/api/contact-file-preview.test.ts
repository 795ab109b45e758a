/** Compares the preview of a contact file with what create does with the same file. */
import * as xlsx from '@e965/xlsx';
import { CONTACTS, campaignForm, newAgent, withFile } from './support/rows';
import { tableHashes } from './support/table-hashes';
import { openTestApi, type Answer, type TestApi } from './support/test-api';

let api: TestApi;
let agentId: string;
beforeAll(async () => {
  api = await openTestApi();
  agentId = await newAgent(api);
});
afterAll(() => api.close());

type Content = string | Buffer;

const preview = (content: Content, filename?: string): Promise<Answer> =>
  api.ask('/api/campaigns/contact-file/preview', { body: withFile(new FormData(), content, filename) });
const create = (content: Content, filename?: string): Promise<Answer> =>
  api.ask('/api/campaigns/create', { body: withFile(campaignForm(agentId), content, filename) });

function workbook(rows: unknown[][], bookType: 'xlsx' | 'biff8'): Buffer {
  const book = xlsx.utils.book_new(xlsx.utils.aoa_to_sheet(rows), 'Contacts');
  return xlsx.write(book, { type: 'buffer', bookType }) as Buffer;
}

const TWO_BAD = [
  ['Full name', 'Mobile', 'city'],
  ['Asha', '+919876543210', 'Pune'],
  ['Ravi', '12', 'Delhi'],
  ['', '9876543212', 'Goa'],
  ['Dev', '9876543213', 'Nashik'],
  ['Meera', '9876543214', 'Surat'],
  ['Imran', '9876543215', 'Thane'],
];

describe.each([
  ['csv', Buffer.from(TWO_BAD.map((cells) => cells.join(';')).join('\n'))],
  ['xlsx', workbook(TWO_BAD, 'xlsx')],
  ['xls', workbook(TWO_BAD, 'biff8')],
])('the preview of a .%s file', (format, content) => {
  test('returns the meaning of each column, five rows, the row count and the faults that create would report', async () => {
    const { status, body } = await preview(content, `contacts.${format}`);
    const refused = await create(content, `contacts.${format}`);
    expect(refused.status).toBe(400);
    expect([status, body]).toEqual([
      200,
      {
        format,
        columns: [
          { title: 'Full name', meaning: 'name' },
          { title: 'Mobile', meaning: 'phone_number' },
          { title: 'city', meaning: 'variable' },
        ],
        rows: TWO_BAD.slice(1, 6).map((cells, index) => ({ row: index + 2, cells })),
        rows_total: 6,
        faults: refused.body.details,
        faults_total: 2,
      },
    ]);
    expect(body.faults.map(({ row, column }: any) => [row, column])).toEqual([
      [3, 'Mobile'],
      [4, 'Full name'],
    ]);
  });
});

test('returns no faults for a file that create accepts, and stores nothing', async () => {
  const before = await tableHashes(api.db);
  const { status, body } = await preview(CONTACTS);
  expect([status, body.rows_total, body.faults, body.faults_total]).toEqual([200, 2, [], 0]);
  expect(await tableHashes(api.db)).toEqual(before);
});

test('returns the first hundred faults and the total count', async () => {
  const lines = Array.from({ length: 150 }, (_none, n) => `Person ${n},12`);
  const { body } = await preview(['name,phone', ...lines].join('\n'));
  expect([body.faults.length, body.faults_total, body.rows_total]).toEqual([100, 150, 150]);
});

test('returns columns with an invalid header as unclear, together with their rows', async () => {
  const { body } = await preview('name,Name,city,city,,due\nAsha,A,Pune,Goa,x,May\n');
  expect(body.columns.map(({ meaning }: any) => meaning)).toEqual([
    'name',
    'unclear',
    'variable',
    'unclear',
    'unclear',
    'variable',
  ]);
  expect(body.rows).toEqual([{ row: 2, cells: ['Asha', 'A', 'Pune', 'Goa', 'x', 'May'] }]);
  expect(body.faults.map(({ column, row }: any) => [row, column])).toEqual([
    [1, 'city'],
    [1, null],
    [1, 'Name'],
    [1, 'phone_number'],
  ]);
});

test.each([
  ['no rows', '', 0],
  ['the maximum number of rows', 'Asha,A\n'.repeat(10_000), 10_000],
  ['too many rows', 'Asha,A\n'.repeat(30_000), 25_000],
])('returns an invalid header with %s below it', async (_what, rows, total) => {
  const { status, body } = await preview(`name,Name\n${rows}`);
  expect([status, body.rows_total, body.faults_total]).toEqual([200, total, 2]);
});

test('truncates texts after 200 characters, and rows after the last column', async () => {
  const long = 'x'.repeat(300);
  const { body } = await preview(`name,phone,${long}\nAsha,9876543210,${long}${',more'.repeat(50)}\n`);
  expect(body.columns[2].title).toHaveLength(200);
  expect(body.rows[0].cells.map(({ length }: string) => length)).toEqual([4, 10, 200]);
  expect(body.faults_total).toBe(1);
});

test.each<[string, Content, string]>([
  ['another name', CONTACTS, 'contacts.txt'],
  ['a web page', '<table></table>', 'contacts.xls'],
  ['a broken workbook', Buffer.from('PK\x03\x04 and no more'), 'contacts.xlsx'],
  ['no rows', 'name,phone\n', 'contacts.csv'],
  ['nothing', '', 'contacts.csv'],
  ['more than 10,000 rows', `name,phone\n${'Asha,9876543210\n'.repeat(10_001)}`, 'contacts.csv'],
  ['a quote that is never closed', 'name,phone\n"Asha,9876543210\n', 'contacts.csv'],
  ['another encoding', Buffer.from('name,phone\nJos\xe9,9876543210\n', 'latin1'), 'contacts.csv'],
  ['more than 10 MiB', Buffer.alloc(10 * 1024 * 1024 + 1, 'a'), 'contacts.csv'],
])('rejects a file with %s exactly as create does', async (_what, content, filename) => {
  const [shown, created] = [await preview(content, filename), await create(content, filename)];
  const ofEach = { path: expect.any(String), request_id: expect.any(String) };
  expect([shown.status, shown.body]).toEqual([created.status, { ...created.body, ...ofEach }]);
  expect([400, 413]).toContain(shown.status);
});

test('rejects a form without a file', async () => {
  const { status, body } = await api.ask('/api/campaigns/contact-file/preview', {
    body: campaignForm(agentId),
  });
  expect(status).toBe(422);
  expect(JSON.stringify(body)).toContain('csv_file');
});

describe('the preview of a file with rules', () => {
  const FILE = 'name,phone_number,timezone\nAsha,9876543210,\nRavi,9876543211,America/Denver\n';
  const withRules = async (fields: Record<string, string>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    return api.ask('/api/campaigns/contact-file/preview', { body: withFile(form, FILE) });
  };

  test('returns the rules that refuse the contacts and the windows of their zones', async () => {
    const { status, body } = await withRules({ window_timezone: 'contact', rule_profile: 'us-tcpa' });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        rows_total: 2,
        refused_by_rule: [
          { rule: 'window', contacts: 1 },
          { rule: 'hours', contacts: 1 },
          { rule: 'consent', contacts: 2 },
        ],
        zones: [
          {
            zone: 'Asia/Calcutta',
            contacts: 1,
            opens_at: '2026-11-02T05:00:00.000Z',
            closes_at: '2026-11-02T15:30:00.000Z',
          },
          {
            zone: 'America/Denver',
            contacts: 1,
            opens_at: '2026-11-02T15:00:00.000Z',
            closes_at: '2026-11-03T04:00:00.000Z',
          },
        ],
        short_windows: { contacts: 0, rows: [] },
      }),
    ]);
  });

  test('lists the contacts that can be called for less than 60 minutes a day', async () => {
    const window = { window_timezone: 'Asia/Kolkata', start_time: '20:00', end_time: '20:30' };
    expect((await withRules(window)).body.short_windows).toEqual({ contacts: 2, rows: [2, 3] });
    // It is night in India then, when us-tcpa allows no call.
    const morning = { window_timezone: 'America/Denver', start_time: '10:00', end_time: '12:00' };
    const { body } = await withRules({ ...morning, rule_profile: 'us-tcpa' });
    expect(body.short_windows).toEqual({ contacts: 1, rows: [2] });
  });

  test('rejects an unknown rule profile and leaves out the fields without rules', async () => {
    expect((await withRules({ rule_profile: 'unknown' })).status).toBe(422);
    const { body } = await preview(FILE);
    expect(Object.keys(body)).not.toContain('refused_by_rule');
  });
});
