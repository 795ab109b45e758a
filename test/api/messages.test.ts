import { newCampaign } from './support/rows';
import { openTestApi, type TestApi } from './support/test-api';

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const faultOf = (answer: { status: number; body: any }) => {
  expect(answer.status).toBe(422);
  const { msg, type } = answer.body.detail[0];
  return [msg, type];
};

test.each([
  ['page=x', 'must be an integer', 'number.integer'],
  ['page=0', 'must be at least 1', 'number.min'],
  ['page_size=201', 'must be at most 200', 'number.max'],
  ['agent_id=17', 'must be a UUID', 'string.guid'],
  ['from=yesterday', 'must be a date or an ISO 8601 timestamp', 'string.isoDate'],
])('rejects call-history?%s: "%s", a %s', async (query, message, type) => {
  expect(faultOf(await api.ask(`/api/call-history?${query}`))).toEqual([message, type]);
});

const temperature = (value: number) => ({
  persona: { senses_capabilities: { brain: { llm: { primary: { parameters: { temperature: value } } } } } },
});

test.each([
  [{ agent_display_name: ' ' }, 'must not be blank', 'string.pattern.base'],
  [{ agent_display_name: 'A', config: { persona: 'kind' } }, 'must be an object', 'object.base'],
  [{ agent_display_name: 'x'.repeat(256) }, 'must be at most 255 characters long', 'string.max'],
  [{ agent_display_name: 'A', config: temperature(2) }, 'must be at most 1', 'number.max'],
  [{ agent_display_name: 'A', config: temperature(-1) }, 'must be at least 0', 'number.min'],
])('uses the same messages for a body as for a query (%#)', async (json, message, type) => {
  expect(faultOf(await api.ask('/api/create-agent', { json }))).toEqual([message, type]);
});

test.each([
  [{ campaign_name: '' }, 'must not be empty', 'string.empty'],
  [{ campaign_name: 5 }, 'must be a string', 'string.base'],
  [{ start_time: '25:00' }, 'must be a time in the form HH:MM', 'string.time'],
  [{ from_date: '2026-02-30' }, 'must be a date in the form YYYY-MM-DD', 'string.date'],
  [
    { days_of_week: 'Monday' },
    'must be a comma-separated list of lowercase weekday names',
    'string.weekdays',
  ],
  [{ notification_emails: 'nobody' }, 'must be a comma-separated list of e-mail addresses', 'string.email'],
  [{ campaign_webhook_url: 'ftp://x' }, 'must be an http or https URL', 'string.uri'],
])('names the rule that a campaign field breaks (%#)', async (json, message, type) => {
  const id = await newCampaign(api);
  expect(faultOf(await api.ask(`/api/campaigns/${id}`, { method: 'PUT', json }))).toEqual([message, type]);
});
