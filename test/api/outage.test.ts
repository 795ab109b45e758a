import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { Client, Connection } from '@temporalio/client';
import { temporalConnection, temporalPort } from '../../api/dependencies/temporal-client';
import { TemporalUnavailable } from '../../api/http/errors/api-error';
import { insertCampaign } from '../../db/campaigns/campaigns';
import { s3Storage } from '../../runtime/storage/s3-storage';
import { campaignDraft } from '../db/support/campaign-draft';
import { agentOf } from './support/agent-access';
import { campaignForm, newAgent, newCall, withFile } from './support/rows';
import { openTestApi, type TestApi } from './support/test-api';

const ID = '00000000-0000-4000-8000-000000000000';

/** Accepts connections and never responds, which is harder to handle than a refused connection. */
class SilentServer {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server = createServer((socket) => this.sockets.add(socket));

  async open(): Promise<number> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    const address = this.server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}

const silent = new SilentServer();
let silentPort: number;

beforeAll(async () => {
  silentPort = await silent.open();
});
afterAll(() => silent.close());

describe.each([
  ['refuses connections', () => 1],
  ['never answers', () => silentPort],
])('while Postgres %s, the API', (_title, port) => {
  let api: TestApi;

  beforeAll(async () => {
    api = await openTestApi({ databaseUrl: () => `postgres://user@127.0.0.1:${port()}/none` });
  });
  afterAll(() => api.close());

  test('returns 503 on every endpoint, even if Postgres never responds', async () => {
    const answers = await Promise.all(
      [
        ['GET', '/api/agents'],
        ['GET', '/api/campaigns/'],
        ['GET', '/api/call-history'],
        ['POST', `/api/campaigns/${ID}/pause`],
        ['GET', '/api/call_details/outbound-1'],
        ['GET', '/api/health'],
      ].map(([method = '', path = '']) => api.ask(path, { method })),
    );
    for (const { status, body } of answers) {
      expect(status).toBe(503);
      expect(body).toEqual({ detail: { code: 'SERVICE_UNAVAILABLE', message: expect.any(String) } });
    }
  });

  test('returns 503 in the error shapes of dispatch and campaign create, and stores no file', async () => {
    const [dispatch, create] = await Promise.all([
      api.ask('/api/trigger-call/', { json: {} }),
      api.ask('/api/campaigns/create', { body: withFile(campaignForm(ID)) }),
    ]);
    expect([dispatch.status, dispatch.body.error]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect([create.status, create.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(await api.storedFiles()).toEqual([]);
  });

  test('reports that it is up but not ready, and names what is unreachable', async () => {
    expect((await api.ask('/healthz')).status).toBe(200);
    const { status, body } = await api.ask('/readyz');
    expect([status, body.carrier_events, body.temporal]).toEqual([503, 'unreachable', 'ok']);
  });
});

describe('while the storage refuses connections, the API', () => {
  let api: TestApi;

  beforeAll(async () => {
    const storage = s3Storage({
      bucket: 'files',
      region: 'us-east-1',
      endpoint: 'http://127.0.0.1:1',
      isPathStyle: true,
      prefix: '',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
      encryption: null,
    });
    api = await openTestApi({ storage, carrierSecret: 'a-secret-of-the-carrier' });
  });
  afterAll(() => api.close());

  test('creates no campaign, and returns 503 for a recording so that the agent sends it again', async () => {
    const agentId = await newAgent(api);
    const create = await api.ask('/api/campaigns/create', { body: withFile(campaignForm(agentId)) });
    expect([create.status, create.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    for (const table of ['campaigns', 'contacts']) expect(await api.db(table)).toEqual([]);
    const callId = await newCall(api, { agent_id: agentId, stage: 'over', call_status: 'completed' });
    const recording = await api.ask(`/api/carrier/calls/${callId}/recording`, {
      method: 'PUT',
      as: null,
      body: 'RIFF',
      headers: { ...agentOf(api, callId), 'Content-Type': 'audio/wav' },
    });
    expect([recording.status, recording.body.detail.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(await api.db('recordings')).toEqual([]);
    expect(api.logLines().join('')).not.toContain('127.0.0.1:1');
  });

  test('returns 503 for stored files and keeps their records', async () => {
    const agentId = await newAgent(api);
    const { id: campaignId } = await insertCampaign(
      api.db,
      campaignDraft({ organizationId: api.organization.id, agentId, contacts: [], now: api.clock.time }),
    );
    const callId = await newCall(api, { agent_id: agentId, stage: 'over', call_status: 'completed' });
    const recording = { storage_key: `recordings/${callId}.wav`, content_type: 'audio/wav', bytes: 4 };
    await api.db('recordings').insert({ call_id: callId, stored_at: new Date(api.clock.time), ...recording });
    const call = await api.db('calls').where({ call_id: callId }).first();
    const campaign = await api.db('campaigns').where({ id: campaignId }).first();
    for (const path of [`/api/campaigns/${campaignId}/file`, `/api/stream/${callId}`]) {
      const { status, body } = await api.ask(path);
      expect([status, body?.code ?? body?.detail?.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    }
    expect(await api.db('calls').where({ call_id: callId }).first()).toEqual(call);
    expect(await api.db('campaigns').where({ id: campaignId }).first()).toEqual(campaign);
    expect(await api.db('recordings').where({ call_id: callId }).first()).toMatchObject(recording);
  });

  test('accepts a dispatch and reports ready', async () => {
    const agent_id = await newAgent(api);
    const dispatch = await api.ask('/api/trigger-call/', {
      json: { agent_id, contact_number: '+919876543210', name: 'Asha' },
    });
    expect(dispatch.status).toBe(200);
    expect((await api.ask('/readyz')).status).toBe(200);
  });

  test('reports the storage as down', async () => {
    const { body } = await api.ask('/api/health');
    const storage = { part: 'storage', status: 'down', reason: 'no_answer', since: null };
    expect(body.parts).toContainEqual(storage);
  });
});

describe.each([
  ['refuses connections', () => 1],
  ['never answers', () => silentPort],
])('a Temporal that %s', (_title, port) => {
  test('makes every request fail with TemporalUnavailable', async () => {
    const connection = Connection.lazy(temporalConnection({ address: `127.0.0.1:${port()}` }));
    const temporal = temporalPort(new Client({ connection }));
    const faults = await Promise.all(
      [
        temporal.startCampaign({ campaignId: ID, organizationId: ID, agentId: ID }, { contacts: 1 }),
        temporal.startCall({ callId: 'outbound-1', organizationId: ID, agentId: ID }),
        temporal.startDelivery({ deliveryId: ID }),
        temporal.signalCampaign(ID, 'pause'),
        temporal.check(),
        temporal.workersSeenAt(),
      ].map((step) => step.catch((error: unknown) => error)),
    );
    await connection.close();
    for (const fault of faults) expect(fault).toBeInstanceOf(TemporalUnavailable);
  });
});
