/** No list has pages that begin after 10,000 rows, because skipped rows take time. */
import { newAgent } from './support/rows';
import { MONDAY, openTestApi, type TestApi } from './support/test-api';

const ROWS = 10_010;

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
  const row = {
    organization: api.organization.id,
    agent: await newAgent(api),
    rows: ROWS,
    at: new Date(MONDAY),
  };
  const numbered = (sql: string) => api.db.raw(`${sql} from generate_series(1, :rows::integer) n`, row);
  await numbered(`insert into calls (call_id, organization_id, agent_id, agent_version, call_type, direction, accepted_at, stage, call_status)
    select 'outbound-1-' || n, :organization, :agent, 1, 'Outbound', 'Outbound', :at::timestamptz + make_interval(secs => n), 'over', 'completed'`);
  await numbered(`insert into webhook_deliveries (id, event_id, organization_id, event, url, body, status, created_at)
    select gen_random_uuid(), gen_random_uuid(), :organization, 'call.completed', 'https://example.test/', '{}', 'delivered', :at::timestamptz`);
  await numbered(`insert into dnd_numbers (organization_id, phone_number, source, added_at)
    select :organization, '+9198' || lpad(n::text, 8, '0'), 'api', :at::timestamptz`);
  await numbered(`insert into audit_log (at, organization_id, actor_kind, actor_id, action, subject_id)
    select :at::timestamptz, :organization, 'operator', 'test', 'org.update', 'n'`);
}, 60_000);
afterAll(() => api.close());

test.each([
  ['/api/call-history?', ROWS],
  ['/api/call-history?status=completed&', 10_000],
  ['/api/call-history?from=2026-11-01&', 10_000],
  ['/api/webhook-deliveries?', ROWS],
  ['/api/webhook-deliveries?status=delivered&', 10_000],
  ['/api/do-not-disturb?', 10_000],
  ['/api/audit?', 10_000],
])('lists %s with a total of %d, and rejects a page that begins after 10,000 rows', async (path, total) => {
  const last = await api.ask(`${path}page_size=200&page=50`);
  expect(last.status).toBe(200);
  expect(last.body.data).toHaveLength(200);
  expect(last.body.pagination.total_count).toBe(total);
  for (const page of ['page_size=200&page=51', 'page_size=1&page=10001', 'page=1000000000']) {
    const { status, body } = await api.ask(path + page);
    expect({ status, fault: body.detail[0] }).toEqual({
      status: 422,
      fault: {
        loc: ['query', 'page'],
        msg: 'must start within the first 10,000 rows; use filters to narrow the list',
        type: 'number.max',
      },
    });
  }
});

test('returns no rows for a page past the end of a short list', async () => {
  for (const path of ['call-history', 'campaigns/', 'webhook-deliveries', 'do-not-disturb', 'audit']) {
    const { status, body } = await api.ask(`/api/${path}?page=1000000`, { as: api.stranger });
    expect([path, status, (body.data ?? body.campaigns).length]).toEqual([path, 200, 0]);
  }
});
