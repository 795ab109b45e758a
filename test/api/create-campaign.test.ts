import { claimPage } from '../../db/calls/engine';
import { rawXlsx, sheetXml, xlsOf, xlsxOf, type Row } from './support/workbook';
import { CONTACTS, campaignForm, countOf, newAgent, withFile } from './support/rows';
import { MONDAY, openTestApi, type TestApi } from './support/test-api';

let api: TestApi;
let agentId: string;

beforeAll(async () => {
  api = await openTestApi();
  agentId = await newAgent(api);
});
afterAll(() => api.close());
beforeEach(() => {
  api.temporal.unreachable = false;
});

const create = (form: FormData) => api.ask('/api/campaigns/create', { body: form });
const createWith = (changes: Record<string, string | string[] | null>) =>
  create(withFile(campaignForm(agentId, changes)));

describe('an accepted campaign', () => {
  test('returns exactly the fields of the interface', async () => {
    const { status, body } = await createWith({
      notification_emails: 'a@example.com, b@example.com',
      campaign_webhook_url: 'https://example.com/hook',
      perform_dnd_check: 'true',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      client_id: api.organization.id,
      agent_id: agentId,
      campaign_name: 'November reminders',
      excel_blob_url: expect.stringContaining(
        `https://calls.example.test/api/campaigns/${body.id}/file?expires=`,
      ),
      campaign_status: 'active',
      contact_source_type: 'csv',
      days_of_week: 'monday,tuesday,friday',
      time_range_from: '04:00:00Z',
      time_range_to: '10:30:00Z',
      max_retries: 3,
      retry_after_mins: 30,
      call_concurrency: 2,
      start_date: '2026-11-02T00:00:00',
      end_date: '2026-11-06T23:59:59',
      notification_emails: ['a@example.com', 'b@example.com'],
      webhook_url: 'https://example.com/hook',
      perform_dnd_check: true,
      created_at: new Date(MONDAY).toISOString(),
      updated_at: new Date(MONDAY).toISOString(),
    });
  });

  test('starts a workflow whose input contains only ids', async () => {
    const { body } = await createWith({});
    expect(api.temporal.campaigns.at(-1)).toEqual({
      campaignId: body.id,
      organizationId: api.organization.id,
      agentId,
    });
  });

  test('stores the contact file under a generated name', async () => {
    const form = withFile(campaignForm(agentId), CONTACTS, '../../evil.csv');
    const { body } = await create(form);
    expect(await api.storedFiles()).toContain(`${body.id}.csv`);
  });

  test('dials a repeated number once and counts its other rows as failed from the start', async () => {
    const csv = 'name,phone\nAsha,+919876543210\nRavi,9876543211\nAsha again,09876543210\n';
    const { body } = await create(withFile(campaignForm(agentId), csv));
    const detail = await api.ask(`/api/campaigns/${body.id}`);
    expect(detail.body.stats).toEqual({
      total_calls: 3,
      completed: 0,
      pending: 2,
      in_progress: 0,
      failed: 1,
    });
    const contacts = await api.ask(`/api/campaigns/${body.id}/contacts`);
    expect(contacts.body.data.map((contact: any) => [contact.row, contact.state, contact.reason])).toEqual([
      [2, 'pending', null],
      [3, 'pending', null],
      [4, 'duplicate', 'same number as row 2'],
    ]);
  });

  test("accepts the agent's name instead of the id", async () => {
    const { status, body } = await createWith({ agent_id: 'collections' });
    expect([status, body.agent_id]).toEqual([201, agentId]);
  });

  test('returns each weekday once, in the order of the week', async () => {
    const { body } = await createWith({ days_of_week: 'sunday, monday,sunday,' });
    expect(body.days_of_week).toBe('monday,sunday');
  });

  test('treats blank optional fields as missing', async () => {
    const { status, body } = await createWith({
      max_retries: '',
      retry_delay_mins: '',
      notification_emails: '',
      campaign_webhook_url: '',
    });
    expect(status).toBe(201);
    expect([body.max_retries, body.retry_after_mins, body.notification_emails, body.webhook_url]).toEqual([
      3,
      30,
      [],
      null,
    ]);
  });

  test('accepts a file of ten thousand contacts, the maximum', async () => {
    const lines = Array.from(
      { length: 10_000 },
      (_, i) => `Person ${i},98765${String(i).padStart(5, '0')},Pune`,
    );
    const { status, body } = await create(
      withFile(campaignForm(agentId), `name,phone,city\n${lines.join('\n')}`),
    );
    expect(status).toBe(201);
    const detail = await api.ask(`/api/campaigns/${body.id}`);
    expect(detail.body.stats.total_calls).toBe(10_000);
  });
});

describe('the rules of a campaign', () => {
  // The contract tests check the limits that the interface states.
  test.each([
    ['an end equal to its start', { start_time: '05:00', end_time: '05:00' }, 'INVALID_TIME_WINDOW'],
    ['an end before its start', { start_time: '06:00', end_time: '05:00' }, 'INVALID_TIME_WINDOW'],
    ['an end date in the past', { from_date: '2026-10-01', to_date: '2026-11-01' }, 'INVALID_DATE_RANGE'],
  ])('rejects %s with its code', async (_title, changes, code) => {
    const { status, body } = await createWith(changes);
    expect(status).toBe(400);
    expect(body).toEqual({
      status_code: 400,
      error: 'Bad Request',
      message: expect.any(String),
      code,
      path: '/api/campaigns/create',
      timestamp: new Date(MONDAY).toISOString(),
      request_id: expect.any(String),
    });
  });

  test.each([
    ['the edges of the legal window', { start_time: '02:30', end_time: '14:29' }],
    ['all lines that the organization has', { concurrency: '10' }],
    ['a range of today only', { to_date: '2026-11-02' }],
    ['ten attempts a day apart', { max_retries: '10', retry_delay_mins: '1440' }],
    ['one attempt and no delay', { max_retries: '1', retry_delay_mins: '0' }],
    ['a name of 255 characters', { campaign_name: 'न'.repeat(255) }],
  ])('accepts %s', async (_title, changes) => {
    expect((await createWith(changes as unknown as Record<string, string>)).status).toBe(201);
  });

  test('returns the first code of the documented table when several rules are broken', async () => {
    const { body } = await createWith({ concurrency: '99', max_retries: '99', days_of_week: ',' });
    expect(body.code).toBe('CONCURRENCY_EXCEEDED');
  });

  test('checks the rules, then the agent, then the file', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000';
    expect((await createWith({ agent_id: unknown, concurrency: '99' })).body.code).toBe(
      'CONCURRENCY_EXCEEDED',
    );
    const badFile = await create(withFile(campaignForm(unknown), 'nothing'));
    expect([badFile.status, badFile.body.code]).toEqual([404, 'AGENT_NOT_FOUND']);
  });
});

describe('a missing or invalid field of a new campaign', () => {
  test.each([
    ['campaign_name', null],
    ['campaign_name', '   '],
    ['campaign_name', 'x'.repeat(256)],
    ['agent_id', null],
    ['agent_id', ''],
    ['concurrency', null],
    ['concurrency', '0'],
    ['concurrency', '-3'],
    ['concurrency', '1e1'],
    ['concurrency', ' 5 '],
    ['concurrency', '2.0'],
    ['concurrency', ['1', '2']],
    ['from_date', '02-11-2026'],
    ['to_date', '2026-02-30'],
    ['start_time', '25:00'],
    ['start_time', '4:00'],
    ['end_time', '10:30:00'],
    ['days_of_week', null],
    ['days_of_week', 'monday,funday'],
    ['days_of_week', 'Monday'],
    ['perform_dnd_check', 'maybe'],
    ['max_retries', 'three'],
    ['retry_delay_mins', '1.5'],
    ['notification_emails', 'nobody'],
    ['campaign_webhook_url', 'ftp://example.com'],
    ['per_call_webhook_url', 'not an address'],
  ])('returns 422 and names the field: %s: %j', async (field, value) => {
    const { status, body } = await createWith({ [field]: value });
    expect([status, body.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(body.details).toEqual([{ field, reason: expect.any(String) }]);
  });

  test('returns 422 when csv_file is missing', async () => {
    const { status, body } = await create(campaignForm(agentId));
    expect([status, body.details]).toEqual([
      422,
      [{ field: 'csv_file', reason: 'is required and must be a file' }],
    ]);
  });

  test('returns 422 when csv_file is sent as text', async () => {
    const form = campaignForm(agentId, { csv_file: CONTACTS });
    expect((await create(form)).status).toBe(422);
  });

  test('returns 422 when all fields are missing', async () => {
    const { body } = await create(new FormData());
    expect(body.code).toBe('VALIDATION_ERROR');
  });

  test('returns 422 for a field name such as __proto__', async () => {
    const { status, body } = await createWith({ '__proto__[x]': '1' });
    expect([status, body.code]).toEqual([422, 'VALIDATION_ERROR']);
  });

  test("returns 422 for text that can't be stored", async () => {
    const { status, body } = await createWith({ campaign_name: 'a\0b' });
    expect([status, body.code]).toEqual([422, 'VALIDATION_ERROR']);
  });

  test('returns 415 for a body that is not a form', async () => {
    const { status, body } = await api.ask('/api/campaigns/create', { json: {} });
    expect([status, body.code, body.status_code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE', 415]);
  });

  test('returns 422 for a truncated form', async () => {
    const { status, body } = await api.ask('/api/campaigns/create', {
      body: '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx',
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    });
    expect([status, body.code]).toEqual([422, 'VALIDATION_ERROR']);
  });
});

describe('a rejected contact file', () => {
  test('returns the invalid rows of a rejected file', async () => {
    const { status, body } = await create(
      withFile(campaignForm(agentId), 'name,phone\nAsha,12\nRavi,9876543211\n'),
    );
    expect([status, body.code]).toEqual([400, 'INVALID_CONTACT_FILE']);
    expect(body.details).toEqual([{ row: 2, column: 'phone', value: '12', reason: expect.any(String) }]);
    expect(body.details_total).toBe(1);
  });

  test.each([
    ['a missing column', 'name,city\nAsha,Pune\n', 'c.csv', 'INVALID_CONTACT_FILE'],
    ['an unknown extension', CONTACTS, 'c.txt', 'INVALID_CONTACT_FILE'],
    ['no contacts', 'name,phone\n', 'c.csv', 'NO_CONTACTS'],
    ['too many contacts', `name,phone\n${'A,9876543210\n'.repeat(10_001)}`, 'c.csv', 'TOO_MANY_CONTACTS'],
  ])('returns the matching error code for %s', async (_title, content, filename, code) => {
    const { status, body } = await create(withFile(campaignForm(agentId), content, filename));
    expect([status, body.code]).toEqual([400, code]);
  });

  test('returns 413 for a file larger than 10 MiB', async () => {
    const { status, body } = await create(
      withFile(campaignForm(agentId), Buffer.alloc(10 * 1024 * 1024 + 1, 'a')),
    );
    expect([status, body.code]).toEqual([413, 'FILE_TOO_LARGE']);
  });

  test('leaves neither rows nor a file behind when the file is rejected', async () => {
    const before = [await countOf(api, 'campaigns'), await countOf(api, 'contacts'), await api.storedFiles()];
    await create(withFile(campaignForm(agentId), 'name,phone\nAsha,9876543210\nRavi,12\n'));
    expect([
      await countOf(api, 'campaigns'),
      await countOf(api, 'contacts'),
      await api.storedFiles(),
    ]).toEqual(before);
  });
});

describe('a workbook as the contact file of a new campaign', () => {
  const rows: Row[] = [
    ['Full Name', 'Mobile', 'due date'],
    ['आशा', 919876543210, new Date(Date.UTC(2026, 10, 9))],
    ['Ravi', '098765 43211', null],
  ];

  test.each([
    ['xlsx', () => xlsxOf(rows)],
    ['xls', () => Promise.resolve(xlsOf(rows))],
  ])('creates the same campaign from a .%s as from a CSV file', async (format, content) => {
    const { status, body } = await create(
      withFile(campaignForm(agentId), await content(), `contacts.${format}`),
    );
    expect([status, body.contact_source_type]).toEqual([201, format]);
    expect(await api.storedFiles()).toContain(`${body.id}.${format}`);
    const contacts = await api.ask(`/api/campaigns/${body.id}/contacts`);
    expect(contacts.body.data).toMatchObject([
      { row: 2, name: 'आशा', phone_number: '+919876543210', variables: { 'due date': '2026-11-09' } },
      { row: 3, name: 'Ravi', phone_number: '+919876543211', variables: { 'due date': '' } },
    ]);
  });

  test('rejects a zip bomb and leaves no trace of it', async () => {
    const before = [await countOf(api, 'campaigns'), await api.storedFiles()];
    const bomb = rawXlsx({ data: sheetXml(' '.repeat(20 * 1024 * 1024)) });
    const { status, body } = await create(withFile(campaignForm(agentId), bomb, 'contacts.xlsx'));
    expect([status, body.code]).toEqual([400, 'INVALID_CONTACT_FILE']);
    expect([await countOf(api, 'campaigns'), await api.storedFiles()]).toEqual(before);
  });

  test('reports invalid rows of a workbook by their row number in the spreadsheet', async () => {
    const content = await xlsxOf([[], ['name', 'phone'], [], ['Asha', 12]]);
    const { status, body } = await create(withFile(campaignForm(agentId), content, 'contacts.xlsx'));
    expect([status, body.details]).toEqual([
      400,
      [{ row: 4, column: 'phone', value: '12', reason: expect.any(String) }],
    ]);
  });
});

describe('creating a campaign while Temporal is unreachable', () => {
  test('returns 503 and leaves neither rows nor file', async () => {
    const before = [await countOf(api, 'campaigns'), await countOf(api, 'contacts'), await api.storedFiles()];
    api.temporal.unreachable = true;
    const { status, body } = await createWith({});
    expect([status, body.code, body.status_code]).toEqual([503, 'SERVICE_UNAVAILABLE', 503]);
    expect([
      await countOf(api, 'campaigns'),
      await countOf(api, 'contacts'),
      await api.storedFiles(),
    ]).toEqual(before);
  });

  test("succeeds if the workflow started although Temporal's reply was lost", async () => {
    api.temporal.unreachable = true;
    api.temporal.beforeAnswer = async () => {
      const row = await api.db('campaigns').where({ campaign_name: 'lost answer' }).first('id');
      await claimPage(api.db, row.id, {
        now: MONDAY,
        dialUntil: MONDAY + 60_000,
        limit: 10,
      });
    };
    const { status, body } = await createWith({ campaign_name: 'lost answer' });
    api.temporal.beforeAnswer = () => Promise.resolve();
    expect(status).toBe(201);
    expect((await api.ask(`/api/campaigns/${body.id}`)).status).toBe(200);
    expect(await api.storedFiles()).toContain(`${body.id}.csv`);
  });
});

test("returns 404 for another organization's agent", async () => {
  const form = withFile(campaignForm(agentId));
  const { status, body } = await api.ask('/api/campaigns/create', { body: form, as: api.stranger });
  expect([status, body.code]).toEqual([404, 'AGENT_NOT_FOUND']);
});
