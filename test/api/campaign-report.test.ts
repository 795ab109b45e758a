import { parse } from 'csv-parse/sync';
import { Workbook } from 'exceljs';
import { describeWith } from '../servers/availability';
import { campaignForm, newAgent, withFile } from './support/rows';
import { openTestApi, type TestApi } from './support/test-api';

const FILE =
  'zone,name,phone_number,due date,a\nWest,Asha,+919876543210,1 May,x\nEast,Ravi,9876543211,2 May,y\n';

describeWith('postgres', "a campaign's report", () => {
  let api: TestApi;
  let path: string;
  beforeAll(async () => {
    api = await openTestApi();
    const agentId = await newAgent(api);
    const created = await api.ask('/api/campaigns/create', { body: withFile(campaignForm(agentId), FILE) });
    path = `/api/campaigns/${created.body.id}/report`;
  });
  afterAll(() => api.close());

  test('returns CSV by default, with the uploaded columns in their order', async () => {
    const { status, headers, text } = await api.ask(path);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="campaign-[0-9a-f-]+\.csv"$/);
    const [header, ...rows] = parse(text, { bom: true });
    expect(header!.slice(0, 7)).toEqual(['row', 'name', 'phone_number', 'zone', 'due date', 'a', 'state']);
    expect(rows.map((row) => row.slice(0, 7))).toEqual([
      ['2', 'Asha', '+919876543210', 'West', '1 May', 'x', 'pending'],
      ['3', 'Ravi', '+919876543211', 'East', '2 May', 'y', 'pending'],
    ]);
  });

  test('returns a workbook on request', async () => {
    const response = await fetch(`${api.url}${path}?format=xlsx`, {
      headers: { 'X-API-Key': api.organization.key },
    });
    expect(response.headers.get('content-type')).toBe(
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    );
    const workbook = new Workbook();
    await workbook.xlsx.load(await response.arrayBuffer());
    expect(workbook.worksheets[0]!.getCell(2, 3).value).toBe('+919876543210');
  });

  test.each(['csv', 'xlsx'])(
    "closes the connection when a .%s can't be completed, and logs the error",
    async (format) => {
      const rows = Array.from(
        { length: 1_001 },
        (_none, index) => `Contact,98765${String(index).padStart(5, '0')}`,
      );
      const file = `name,phone_number\n${rows.join('\n')}\n`;
      const created = await api.ask('/api/campaigns/create', {
        body: withFile(campaignForm(await newAgent(api)), file),
      });
      // This date can't be formatted, so the second page fails.
      await api.db.raw(`update contacts set next_attempt_at = 'infinity' where row_number = 1002`);
      const response = await fetch(`${api.url}/api/campaigns/${created.body.id}/report?format=${format}`, {
        headers: { 'X-API-Key': api.organization.key, 'X-Request-Id': `broken-${format}` },
      });
      await expect(response.arrayBuffer()).rejects.toThrow('terminated');
      const logged = api
        .logLines()
        .filter((line) => line.includes('response failed while it was being sent'));
      expect(JSON.parse(logged.at(-1) ?? '{}')).toMatchObject({
        level: 40,
        request_id: `broken-${format}`,
        name: expect.stringMatching(/Error$/),
      });
      expect(logged.join()).not.toContain('98765');
    },
  );

  test('rejects an unknown format', async () => {
    const { status, body } = await api.ask(`${path}?format=pdf`);
    expect([status, body.detail[0].loc]).toEqual([422, ['query', 'format']]);
  });

  test("returns 404 for another organization's campaign", async () => {
    const { status, body } = await api.ask(path, { as: api.stranger });
    expect([status, body.detail.code]).toEqual([404, 'CAMPAIGN_NOT_FOUND']);
  });
});
