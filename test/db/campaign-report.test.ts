import { buffer, text } from 'node:stream/consumers';
import { Workbook } from 'exceljs';
import { parse } from 'csv-parse/sync';
import { campaignReport, type ReportFormat } from '../../api/campaigns/report';
import type { NewContact } from '../../db/campaigns/contacts';
import { insertCampaign, type Campaign } from '../../db/campaigns/campaigns';
import { campaignDraft } from './support/campaign-draft';
import { EngineDatabase, START, type Owner } from './support/engine-database';

let engine: EngineDatabase;
let owner: Owner;

beforeAll(async () => {
  engine = await EngineDatabase.open();
});
afterAll(() => engine.close());
beforeEach(async () => {
  owner = await engine.owner();
});

const contact = (row: number, changes: Partial<NewContact> = {}): NewContact => ({
  row,
  name: `Contact ${row}`,
  phoneNumber: `+9198765${String(row).padStart(5, '0')}`,
  variables: {},
  duplicateOf: null,
  ...changes,
});

function newCampaign(
  contacts: NewContact[],
  contactColumns = Object.keys(contacts[0]?.variables ?? {}),
): Promise<Campaign> {
  return insertCampaign(engine.db, campaignDraft({ ...owner, contacts, contactColumns, now: engine.now }));
}

const reportOf = (campaign: Campaign, format: ReportFormat = 'csv') =>
  campaignReport(engine.db, campaign, format);
const csvOf = async (campaign: Campaign) => text((await reportOf(campaign)).stream);
const rowsOf = async (campaign: Campaign): Promise<Record<string, string>[]> =>
  parse(await csvOf(campaign), { bom: true, columns: true });

async function sheetOf(campaign: Campaign) {
  const workbook = new Workbook();
  const { stream } = await reportOf(campaign, 'xlsx');
  await workbook.xlsx.load(Uint8Array.from(await buffer(stream)).buffer);
  return workbook.worksheets[0]!;
}

test('returns the content type and the file name of a report', async () => {
  const campaign = await newCampaign([contact(2)]);
  const csv = await reportOf(campaign);
  const xlsx = await reportOf(campaign, 'xlsx');
  expect([csv.contentType, csv.filename]).toEqual(['text/csv; charset=utf-8', `campaign-${campaign.id}.csv`]);
  expect([xlsx.contentType, xlsx.filename]).toEqual([
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    `campaign-${campaign.id}.xlsx`,
  ]);
  csv.stream.destroy();
  xlsx.stream.destroy();
});

test('lists contacts that were reached, will be redialled or were never dialled', async () => {
  const campaign = await newCampaign([contact(2), contact(3), contact(4, { duplicateOf: 2 })]);
  await engine.set(campaign.id, { status: 'active', dialing_until: new Date(START + 3_600_000) });
  const { granted } = await engine.feed(owner, campaign.id);
  const [talked = '', busy = ''] = granted;
  await engine.dial(talked);
  await engine.dial(busy);
  engine.now = START + 90_000;
  await engine.end(talked, 'callee', { answeredAt: new Date(START + 10_000).toISOString() });
  await engine.end(busy, 'busy');
  await engine
    .db('calls')
    .where({ call_id: talked })
    .update({ summary: 'Will pay, "soon"', eval_tag: 'promise' });
  const rows = await rowsOf(campaign);
  expect(rows).toEqual([
    {
      row: '2',
      name: 'Contact 2',
      phone_number: '+919876500002',
      state: 'completed',
      reason: '',
      attempts: '1',
      call_id: talked,
      call_status: 'User disconnected',
      dialled_at: '2026-11-02T05:00:00.000Z',
      answered_at: '2026-11-02T05:00:10.000Z',
      ended_at: '2026-11-02T05:01:30.000Z',
      duration_s: '80',
      call_cost: '4',
      summary: 'Will pay, "soon"',
      call_eval_tag: 'promise',
      next_attempt_at: '',
    },
    expect.objectContaining({
      row: '3',
      state: 'pending',
      attempts: '1',
      call_status: 'busy',
      answered_at: '',
      duration_s: '0',
      next_attempt_at: '2026-11-02T05:31:30.000Z',
    }),
    expect.objectContaining({
      row: '4',
      state: 'duplicate',
      reason: 'same number as row 2',
      attempts: '0',
      call_id: '',
      duration_s: '',
    }),
  ]);
});

describe('the columns of the contact file in a report', () => {
  const variables = { zone: 'b', a: '1', 'due date': 'x', '2024': 'y' };

  test('keeps the columns in the order of the file', async () => {
    const campaign = await newCampaign([contact(2, { variables })], ['zone', 'due date', '2024', 'a']);
    const [header] = (await csvOf(campaign)).split('\r\n');
    expect(header).toMatch(/^row,name,phone_number,zone,due date,2024,a,state,/);
  });

  test('distinguishes the columns of the file from report columns of the same name', async () => {
    const campaign = await newCampaign([
      contact(2, { variables: { state: 'Goa', 'state (file)': 'x', row: '9' } }),
    ]);
    expect(await rowsOf(campaign)).toMatchObject([
      { row: '2', state: 'pending', 'state (file) (file)': 'Goa', 'state (file)': 'x', 'row (file)': '9' },
    ]);
  });
});

describe('a value that a spreadsheet would calculate', () => {
  const dangerous = ['=1+1', '+cmd|calc', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '＝1'];

  test('adds an apostrophe to the value in csv', async () => {
    const campaign = await newCampaign(
      dangerous.map((name, index) => contact(index + 2, { name, variables: { [name]: 'x' } })),
    );
    const rows = await rowsOf(campaign);
    expect(rows.map(({ name }) => name)).toEqual(dangerous.map((value) => `'${value}`));
    expect(Object.keys(rows[0]!)).toContain("'=1+1");
  });

  test('leaves a number in csv unchanged', async () => {
    const campaign = await newCampaign([
      contact(2, { variables: { balance: '-12.50', other: '+919876543210' } }),
    ]);
    expect(await rowsOf(campaign)).toMatchObject([
      { phone_number: '+919876500002', balance: '-12.50', other: '+919876543210' },
    ]);
  });

  test('writes the value as text in xlsx', async () => {
    // XML turns a carriage return into a line feed.
    const written = dangerous.filter((value) => !value.startsWith('\r'));
    const campaign = await newCampaign(written.map((name, index) => contact(index + 2, { name })));
    const sheet = await sheetOf(campaign);
    const cells = written.map((_value, index) => sheet.getCell(index + 2, 2));
    expect(cells.map(({ value }) => value)).toEqual(written);
    expect(cells.map(({ formula }) => formula)).toEqual(written.map(() => undefined));
  });
});

test('starts csv with the byte order mark that Excel needs for UTF-8, and quotes only the values that need it', async () => {
  const campaign = await newCampaign([contact(2, { name: 'आशा "A", B\nC', variables: { x: ' a;b ' } })]);
  const bytes = await buffer((await reportOf(campaign)).stream);
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(bytes.toString()).toContain('2,"आशा ""A"", B\nC",+919876500002," a;b ",pending,');
});

test('writes numbers as numbers and everything else as text in xlsx', async () => {
  const campaign = await newCampaign([contact(2, { variables: { amount: '007' } })]);
  const sheet = await sheetOf(campaign);
  expect(sheet.getRow(1).getCell(4).value).toBe('amount');
  expect([1, 2, 3, 4, 7].map((column) => sheet.getCell(2, column).value)).toEqual([
    2,
    'Contact 2',
    '+919876500002',
    '007',
    0,
  ]);
});

describe('a report of ten thousand contacts', () => {
  test.each(['csv', 'xlsx'] as const)(
    'writes all contacts into the .%s file in order, with one statement per thousand contacts',
    async (format) => {
      const campaign = await newCampaign(
        Array.from({ length: 10_000 }, (_none, index) => contact(index + 2)),
      );
      const statements: string[] = [];
      const onQuery = ({ sql }: { sql: string }) => void statements.push(sql);
      engine.db.on('query', onQuery);
      const numbers =
        format === 'csv'
          ? (await rowsOf(campaign)).map(({ row }) => Number(row))
          : (await sheetOf(campaign)).getColumn(1).values.slice(2);
      engine.db.off('query', onQuery);
      expect(numbers).toEqual(Array.from({ length: 10_000 }, (_none, index) => index + 2));
      // Ten full pages and an empty one.
      expect(statements).toHaveLength(11);
    },
  );

  test('stops reading contacts when the stream is closed', async () => {
    const campaign = await newCampaign(Array.from({ length: 10_000 }, (_none, index) => contact(index + 2)));
    const statements: string[] = [];
    const onQuery = ({ sql }: { sql: string }) => void statements.push(sql);
    engine.db.on('query', onQuery);
    const { stream } = await reportOf(campaign);
    stream.destroy();
    await new Promise((resolve) => stream.once('close', resolve));
    engine.db.off('query', onQuery);
    expect(statements).toHaveLength(1);
  });
});

describe('a report while the database becomes unreachable', () => {
  test('rejects the report before the stream starts', async () => {
    const campaign = await newCampaign([contact(2)]);
    const db = { raw: () => Promise.reject(new Error('Connection terminated')) } as never;
    await expect(campaignReport(db, campaign, 'csv')).rejects.toThrow('Connection terminated');
  });

  test.each(['csv', 'xlsx'] as const)(
    "fails in the middle of the .%s file if a later page can't be read",
    async (format) => {
      const campaign = await newCampaign(Array.from({ length: 2_000 }, (_none, index) => contact(index + 2)));
      let statements = 0;
      const db = {
        raw: (sql: string, bindings: object) =>
          (statements += 1) > 1
            ? Promise.reject(new Error('Connection terminated'))
            : engine.db.raw(sql, bindings as never),
      } as never;
      const { stream } = await campaignReport(db, campaign, format);
      await expect(buffer(stream)).rejects.toThrow('Connection terminated');
    },
  );
});
