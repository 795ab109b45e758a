/**
 * Long pages must be complete however wide their rows are. They must be read only as fast as the client takes them, and an interrupted one
 * must not look complete.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { pageStream } from '../../api/http/responses';
import { ApiServer } from '../../api/http/server';
import { campaignForm, newAgent, newCall, withFile } from './support/rows';
import { openTestApi, type TestApi } from './support/test-api';

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

test("closes the connection when a page breaks off, so that it isn't mistaken for a complete one", async () => {
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
