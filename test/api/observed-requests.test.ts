/** Metrics and logs of requests must contain routes and ids, never personal data. */
import { describeWith } from '../servers/availability';
import { valueOf } from '../servers/scrape';
import { insertDispatchedCall, outboundCallId } from '../../db/calls/dispatched-calls';
import { startDial, recordPlaced, registerWaiting } from '../../db/calls/engine';
import { NO_GUARDS } from '../servers/no-guards';
import { newAgent } from './support/rows';
import { openTestApi, type TestApi } from './support/test-api';

const SECRET = 'the secret of the carrier';

describeWith('postgres', 'a request', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await openTestApi({ carrierSecret: SECRET });
  });
  afterAll(() => api.close());

  test("counts and times a request under its route's pattern, by status", async () => {
    const id = '2f6a5e0c-37cb-4a6b-9d5d-0f3a1b2c3d4e';
    await api.ask(`/api/agent/${id}`);
    await api.ask(`/api/agent/${id}`, { as: null });
    await api.ask('/api/limits');
    const text = await api.scrape();
    const count = (route: string, status: string) =>
      valueOf(text, 'voice_agent_api_requests_total', { method: 'GET', route, status });
    expect(count('/api/agent/:agent_id', '404')).toBe(1);
    expect(count('/api/agent/:agent_id', '401')).toBe(1);
    expect(count('/api/limits', '200')).toBe(1);
    expect(
      valueOf(text, 'voice_agent_api_request_duration_seconds_count', { route: '/api/agent/:agent_id' }),
    ).toBe(2);
    expect(text).not.toContain(id);
  });

  test('counts a request as unknown when no route matches its path', async () => {
    await api.ask('/api/+919876543210?name=Priyanka');
    await api.ask('/api/limits', { method: 'PROPFIND' });
    const text = await api.scrape();
    expect(valueOf(text, 'voice_agent_api_requests_total', { route: 'unknown', status: '404' })).toBe(1);
    expect(valueOf(text, 'voice_agent_api_requests_total', { method: 'other' })).toBe(1);
    for (const word of ['9876543210', 'Priyanka', 'PROPFIND']) expect(text).not.toContain(word);
  });

  test('serves no metrics on the public port', async () => {
    expect((await api.ask('/metrics')).status).toBe(404);
  });

  test('includes the id and the organization of a request in each of its log lines', async () => {
    const from = api.logLines().length;
    await Promise.all([
      api.ask('/api/limits', { headers: { 'X-Request-Id': 'the-one' } }),
      api.ask('/api/limits', { headers: { 'X-Request-Id': 'the-other' }, as: api.stranger }),
      api.ask('/api/limits', { headers: { 'X-Request-Id': 'a-third' }, as: null }),
    ]);
    const lines = api
      .logLines()
      .slice(from)
      .map((line) => JSON.parse(line));
    const organizationOf = (id: string) => lines.find(({ request_id }) => request_id === id)?.organization_id;
    expect([organizationOf('the-one'), organizationOf('the-other'), organizationOf('a-third')]).toEqual([
      api.organization.id,
      api.stranger.id,
      undefined,
    ]);
    expect(lines.every(({ process, request_id }) => process === 'api' && request_id !== undefined)).toBe(
      true,
    );
  });

  test('counts the end of a call once, even if it is reported several times', async () => {
    const agentId = await newAgent(api);
    const callId = outboundCallId(api.clock.time);
    const now = api.clock.time;
    await insertDispatchedCall(api.db, {
      callId,
      organizationId: api.organization.id,
      agentId,
      agentVersion: 1,
      name: 'Priyanka',
      fromNumber: null,
      toNumber: '+919876543210',
      metadata: {},
      modifyAgent: null,
      xAgentId: null,
      voice: null,
      dndCheckSkipped: true,
      actor: { kind: 'operator', id: 'test', requestId: null },
      now,
    });
    await registerWaiting(api.db, api.organization.id, [callId], now);
    await startDial(api.db, callId, { now, notAfter: now + 3_000, guards: NO_GUARDS });
    await recordPlaced(api.db, callId, { carrierId: 'carrier-1', from: null, deadlineAt: now + 60_000 }, now);
    const ended = {
      type: 'ended',
      event_id: 'c0ffee00-0000-4000-8000-000000000001',
      carrier_id: 'carrier-1',
      reference: callId,
      at: new Date(now).toISOString(),
      end_reason: 'busy',
    };
    const from = api.logLines().length;
    for (let time = 0; time < 2; time++) {
      const { status } = await api.ask('/api/carrier/events', {
        json: ended,
        as: null,
        headers: { Authorization: `Bearer ${SECRET}` },
      });
      expect(status).toBe(200);
    }
    const text = await api.scrape();
    const labels = { end_reason: 'busy', call_status: 'busy' };
    expect(valueOf(text, 'voice_agent_calls_ended_total', labels)).toBe(1);
    const lines = api
      .logLines()
      .slice(from)
      .map((line) => JSON.parse(line));
    expect(lines.map(({ call_id }) => call_id)).toEqual([callId, callId]);
  });
});
