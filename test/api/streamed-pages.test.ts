/**
 * Long pages must be complete even if their rows are wide. The API must read them only as fast as the client takes them, and an interrupted
 * page must not look complete.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { pageStream } from '../../api/http/responses';
import { ApiServer } from '../../api/http/server';
import { campaignForm, newAgent, newCall, withFile } from './support/rows';
import { openTestApi, type TestApi, MONDAY, type TestOrganization } from './support/test-api';

let api: TestApi;
let agentId: string;

beforeAll(async () => {
  api = await openTestApi();
  agentId = await newAgent(api);
});
afterAll(() => api.close());

const WIDEST = { note: 'x'.repeat(16 * 1024 - 11) };

async function widestCalls(count: number): Promise<string[]> {
  const callIds: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const accepted_at = new Date(api.clock.time + at);
    callIds.unshift(await newCall(api, { agent_id: agentId, metadata: WIDEST, accepted_at }));
  }
  return callIds;
}

test('returns page_size calls of maximum size, in order', async () => {
  const callIds = await widestCalls(45);
  const first = await api.ask('/api/call-history?page_size=41');
  expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(first.body.data.map((call: any) => call.call_id)).toEqual(callIds.slice(0, 41));
  expect(first.body.data[40].call_metadata).toMatchObject(WIDEST);
  expect(first.body.pagination).toEqual({
    page: 1,
    page_size: 41,
    total_count: 45,
    total_pages: 2,
    has_next: true,
    has_previous: false,
  });
  const second = await api.ask('/api/call-history?page_size=41&page=2');
  expect(second.body.data.map((call: any) => call.call_id)).toEqual(callIds.slice(41));
  expect((await api.ask('/api/call-history?page=9')).body.data).toEqual([]);
  expect((await api.ask('/api/call-history', { method: 'HEAD' })).status).toBe(200);
});

test("closes the connection without ending the response when a later part of a page can't be read", async () => {
  const rows = Array.from({ length: 30 }, (_none, index) => `Contact,98765${String(index).padStart(5, '0')}`);
  const created = await api.ask('/api/campaigns/create', {
    body: withFile(campaignForm(agentId), `name,phone_number\n${rows.join('\n')}\n`),
  });
  // This date can't be formatted, so the second batch fails.
  await api.db.raw(
    `update contacts set next_attempt_at = 'infinity' where row_number = 25 and campaign_id = ?`,
    [created.body.id],
  );
  const response = await fetch(`${api.url}/api/campaigns/${created.body.id}/contacts`, {
    headers: { 'X-API-Key': api.organization.key, 'X-Request-Id': 'broken-page' },
  });
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow('terminated');
  const logged = api.logLines().filter((line) => line.includes('response failed while it was being sent'));
  expect(JSON.parse(logged.at(-1) ?? '{}')).toMatchObject({ level: 40, request_id: 'broken-page' });
});

test('reads no more rows than the client takes, and stops when the client has disconnected', async () => {
  let batches = 0;
  let isOver = false;
  async function* endless(): AsyncGenerator<string[]> {
    try {
      for (;;) {
        batches += 1;
        yield ['x'.repeat(64 * 1024)];
        await new Promise(setImmediate);
      }
    } finally {
      isOver = true;
    }
  }
  const stream = pageStream(endless(), (row) => row, {});
  const reader = stream.iterator();
  for (let taken = 1; taken <= 20; taken += 1) {
    await reader.next();
    expect(batches).toBeLessThanOrEqual(taken + 1);
  }
  stream.destroy();
  await once(stream, 'close');
  expect(isOver).toBe(true);
});

test('disconnects a client that stops reading a long response', async () => {
  const server = new ApiServer(
    (_request, response) => {
      const endless = (): void => {
        while (response.write('x'.repeat(64 * 1024)));
        response.once('drain', endless);
      };
      endless();
    },
    { stallMs: 100 },
  );
  server.http.listen(0, '127.0.0.1');
  await once(server.http, 'listening');
  const address = server.http.address();
  const socket = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1');
  const serverSide = once(server.http, 'connection');
  socket.pause();
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [accepted] = await serverSide;
  await once(accepted, 'close');
  socket.destroy();
  await server.close();
});

/** No list has pages that begin after 10,000 rows, because skipped rows take time. */
describe('a page beyond 10,000 rows', () => {
  const ROWS = 10_010;

  let as: TestOrganization;

  beforeAll(async () => {
    as = await api.newOrganization();
    const row = {
      organization: as.id,
      agent: await newAgent(api, { as }),
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

  test.each([
    ['/api/call-history?', ROWS],
    ['/api/call-history?status=completed&', 10_000],
    ['/api/call-history?from=2026-11-01&', 10_000],
    ['/api/webhook-deliveries?', ROWS],
    ['/api/webhook-deliveries?status=delivered&', 10_000],
    ['/api/do-not-disturb?', 10_000],
    ['/api/audit?', 10_000],
  ])('lists %s with a total of %d, and rejects a page that begins after 10,000 rows', async (path, total) => {
    const last = await api.ask(`${path}page_size=200&page=50`, { as });
    expect(last.status).toBe(200);
    expect(last.body.data).toHaveLength(200);
    expect(last.body.pagination.total_count).toBe(total);
    for (const page of ['page_size=200&page=51', 'page_size=1&page=10001', 'page=1000000000']) {
      const { status, body } = await api.ask(path + page, { as });
      expect({ status, fault: body.detail[0] }).toEqual({
        status: 422,
        fault: {
          loc: ['query', 'page'],
          msg: 'is too high: only the first 10,000 rows can be listed. Use filters to narrow the list',
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
});
