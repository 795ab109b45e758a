import { randomUUID } from 'node:crypto';
import { erasePeople, eraseTranscripts } from '../../db/organizations/erasing';
import { newAgent, newCall, newCampaign } from './support/rows';
import { MONDAY, openTestApi, type TestApi, type Answer, type TestOrganization } from './support/test-api';
import { activeSecrets } from '../../db/webhooks/signing-secrets';

let api: TestApi;
let campaignId: string;
const older = randomUUID();
const newer = randomUUID();

beforeAll(async () => {
  api = await openTestApi();
  campaignId = await newCampaign(api);
  const row = { organization_id: api.organization.id, url: 'https://example.com/hook', body: '{}' };
  await api.db('webhook_deliveries').insert([
    {
      ...row,
      id: older,
      event_id: randomUUID(),
      campaign_id: campaignId,
      event: 'campaign.status_changed',
      status: 'delivered',
      created_at: new Date(MONDAY),
    },
    {
      ...row,
      id: newer,
      event_id: randomUUID(),
      event: 'call.completed',
      created_at: new Date(MONDAY + 1),
      next_attempt_at: new Date(MONDAY + 5000),
    },
  ]);
  await api.db('webhook_attempts').insert([
    { delivery_id: older, attempt: 2, at: new Date(MONDAY + 5000), status_code: 200, duration_ms: 12 },
    { delivery_id: older, attempt: 1, at: new Date(MONDAY), duration_ms: 5000, error: 'timed out' },
  ]);
});
afterAll(() => api.close());

const list = (query = '', as = api.organization) => api.ask(`/api/webhook-deliveries${query}`, { as });

test('returns the newest deliveries first, each with its attempts in order', async () => {
  const { status, body } = await list();
  expect(status).toBe(200);
  expect(body.data.map((delivery: any) => delivery.id)).toEqual([newer, older]);
  expect(body.data[1]).toEqual({
    id: older,
    event_id: expect.any(String),
    event: 'campaign.status_changed',
    url: 'https://example.com/hook',
    campaign_id: campaignId,
    call_id: null,
    status: 'delivered',
    attempts: [
      {
        attempt: 1,
        at: '2026-11-02T05:00:00.000Z',
        status_code: null,
        duration_ms: 5000,
        error: 'timed out',
      },
      { attempt: 2, at: '2026-11-02T05:00:05.000Z', status_code: 200, duration_ms: 12, error: null },
    ],
    next_attempt_at: null,
  });
  expect(body.pagination).toMatchObject({ total_count: 2, page_size: 50 });
});

test.each([
  ['?status=pending', [newer]],
  ['?status=failed', []],
  ['?call_id=outbound-1', []],
  ['?page_size=1&page=2', [older]],
])('filters by %s', async (query, ids) => {
  expect((await list(query)).body.data.map((delivery: any) => delivery.id)).toEqual(ids);
});

test('filters by campaign', async () => {
  const { body } = await list(`?campaign_id=${campaignId}`);
  expect(body.data.map((delivery: any) => delivery.id)).toEqual([older]);
});

test.each(['status=lost', 'campaign_id=1', 'page_size=201'])('returns 422 for ?%s', async (query) => {
  expect((await list(`?${query}`)).status).toBe(422);
});

test('returns no deliveries of another organization', async () => {
  expect((await list('', api.stranger)).body.data).toEqual([]);
});

test('returns one delivery with the exact signed body and every attempt', async () => {
  const body = '{"event_id":"1",  "contact":{"name":"Asha Rao"}}';
  await api.db('webhook_deliveries').where({ id: older }).update({ body });
  const [listed] = (await list(`?campaign_id=${campaignId}`)).body.data;
  const read = await api.ask(`/api/webhook-deliveries/${older}`);
  expect([read.status, read.body]).toEqual([200, { ...listed, body }]);
});

test('removes erased data of a call from the body of its delivery', async () => {
  const callId = await newCall(api, { agent_id: await newAgent(api) });
  const sent = {
    transcript: 'AGENT: hello',
    summary: 'short',
    contact: { name: 'Asha', phone: '+919876543210' },
  };
  await api
    .db('webhook_deliveries')
    .where({ id: newer })
    .update({ call_id: callId, body: JSON.stringify(sent) });
  const read = async () => JSON.parse((await api.ask(`/api/webhook-deliveries/${newer}`)).body.body);
  expect(await read()).toEqual(sent);
  await eraseTranscripts(api.db, [callId]);
  await erasePeople(api.db, [callId], { now: api.clock.now(), hashOf: () => 'ff' });
  expect(await read()).toEqual({ transcript: '', summary: '', contact: { name: '', phone: '' } });
});

test("returns 404 for another organization's delivery", async () => {
  const { status, body } = await api.ask(`/api/webhook-deliveries/${older}`, { as: api.stranger });
  expect([status, body.detail.code]).toEqual([404, 'DELIVERY_NOT_FOUND']);
});

describe('redelivering many deliveries', () => {
  const again = (body: object, as = api.organization) =>
    api.ask('/api/webhook-deliveries/redeliver', {
      as,
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    });

  async function failed(count: number): Promise<string[]> {
    const made = Array.from({ length: count }, (_, index) => ({
      id: randomUUID(),
      event_id: randomUUID(),
      organization_id: api.organization.id,
      campaign_id: campaignId,
      event: 'call.failed',
      url: 'https://example.com/hook',
      body: '{}',
      status: 'failed',
      created_at: new Date(MONDAY + 60_000 + index),
    }));
    await api.db('webhook_deliveries').insert(made);
    return made.map(({ id }) => id);
  }
  beforeEach(() => {
    api.temporal.deliveries.length = 0;
    api.temporal.unreachable = false;
  });

  test('makes deliveries pending, and immediately starts those that are scheduled in the first second', async () => {
    const ids = await failed(12);
    expect(await again({ campaign_id: campaignId, limit: 11 })).toMatchObject({
      status: 202,
      body: { redelivered: 11, skipped: 1 },
    });
    expect(api.temporal.deliveries).toEqual(ids.slice(0, 10).map((deliveryId) => ({ deliveryId })));
    expect((await again({ status: 'failed' })).body).toEqual({ redelivered: 1, skipped: 0 });
    expect((await again({ status: 'failed' })).body).toEqual({ redelivered: 0, skipped: 0 });
  });

  test('accepts a redelivery while Temporal is unreachable, and starts it later', async () => {
    const [id] = await failed(1);
    api.temporal.unreachable = true;
    expect((await again({ from: '2026-11-02T05:01:00.000Z' })).body).toEqual({ redelivered: 1, skipped: 0 });
    const row = await api.db('webhook_deliveries').where({ id }).first();
    expect([row.status, row.next_attempt_at]).toEqual(['pending', new Date(api.clock.time)]);
  });

  test('redelivers nothing if nothing matches', async () => {
    await failed(1);
    expect((await again({ status: 'failed' }, api.stranger)).body).toEqual({ redelivered: 0, skipped: 0 });
    expect((await again({ campaign_id: campaignId }, api.stranger)).body.redelivered).toBe(0);
    expect((await again({ to: '2026-11-01' })).body).toEqual({ redelivered: 0, skipped: 0 });
  });

  test.each([
    {},
    { limit: 5 },
    { unknown: 'x' },
    { status: 'pending' },
    { status: null },
    { campaign_id: '1' },
    { from: 'yesterday' },
    { status: 'failed', limit: 0 },
    { status: 'failed', limit: 1001 },
    { status: 'failed', limit: '5' },
  ])('returns 422 and changes nothing for %j', async (body) => {
    const before = await api.db('webhook_deliveries').where({ status: 'failed' });
    expect((await again(body)).status).toBe(422);
    expect(await api.db('webhook_deliveries').where({ status: 'failed' })).toEqual(before);
  });
});

describe('a signing secret', () => {
  const HOUR_MS = 3_600_000;

  let organization: TestOrganization;

  beforeEach(async () => {
    organization = await api.newOrganization();
  });

  const rotate = (json: object = {}): Promise<Answer> =>
    api.ask('/api/webhook-secrets/rotate', { as: organization, json });
  const list = () => api.ask('/api/webhook-secrets', { as: organization });
  const signing = () => activeSecrets(api.db, organization.id, api.secretsKeys, api.clock.time);

  test('returns a secret once, and signs with it from then on', async () => {
    expect((await list()).body).toEqual({ data: [] });
    const { status, body } = await rotate();
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        secret: expect.stringMatching(/^whsec_/),
        older_sign_until: new Date(api.clock.time + 24 * HOUR_MS).toISOString(),
      },
    ]);
    expect(await signing()).toEqual([body.secret]);
    const found = await list();
    expect(found.body.data).toEqual([
      { id: body.id, created_at: expect.any(String), expires_at: null, state: 'valid' },
    ]);
    for (const text of [found.text, JSON.stringify(await api.db('audit_log')), ...api.logLines()]) {
      expect(text).not.toContain(body.secret);
    }
  });

  test('also signs with the old secret during the requested overlap', async () => {
    const old = (await rotate()).body.secret;
    const { secret } = (await rotate({ overlap_hours: 2 })).body;
    expect((await signing()).sort()).toEqual([old, secret].sort());
    api.clock.time += 2 * HOUR_MS;
    expect(await signing()).toEqual([secret]);
  });

  test('returns 409 while two secrets are valid, unless an overlap of 0 ends both', async () => {
    await rotate();
    await rotate();
    const before = await signing();
    const refused = await rotate();
    expect([refused.status, refused.body.detail.code]).toEqual([409, 'TOO_MANY_SECRETS']);
    expect(await signing()).toEqual(before);
    const { secret } = (await rotate({ overlap_hours: 0 })).body;
    expect(await signing()).toEqual([secret]);
    expect((await list()).body.data.map(({ state }: { state: string }) => state).sort()).toEqual([
      'expired',
      'expired',
      'valid',
    ]);
  });

  test('records a rotation and the key that requested it, but not a rejected rotation', async () => {
    const { id: keyId } = await api.db('api_keys').where({ organization_id: organization.id }).first();
    const ids = [(await rotate()).body.id, (await rotate()).body.id];
    await rotate();
    const records = await api.db('audit_log').where({ organization_id: organization.id }).orderBy('id');
    expect(records.map((each) => [each.action, each.subject_id, each.actor_id])).toEqual(
      ids.map((id) => ['secret.rotate', id, keyId]),
    );
  });
});
