/** A stored secret must only be sent to the origin that it was stored with. */
import { AgentSecrets } from '../../api/agents/config/secrets';
import { SECRET_MASK as MASK } from '../../domain/secret-mask';
import { agentOf } from './support/agent-access';
import { newCall } from './support/rows';
import { openTestApi, type TestApi, AGENT_SECRET } from './support/test-api';
import { MAX_ACTION_REQUESTS } from '../../db/calls/call-context';

const HEADER = 'Bearer key-of-the-shop';
const ACTION = {
  type: 'http_request',
  url: 'https://shop.example/orders',
  headers: { Authorization: HEADER },
};
const MODEL = { provider: 'custom', url: 'wss://llm.example/calls', auth_token: 'token-of-the-server' };

let api: TestApi;
beforeAll(async () => (api = await openTestApi({ carrierSecret: 'a-secret-of-the-carrier' })));
afterAll(() => api.close());

const action = (change: object) => ({ actions: { order: change } });
const primary = (change: object) => ({ senses_capabilities: { brain: { llm: { primary: change } } } });
const fallback = (change: object) => ({ senses_capabilities: { brain: { llm: { fallback: change } } } });

async function created(...persona: object[]): Promise<string> {
  const config = { persona: Object.assign({}, ...persona) };
  const { body } = await api.ask('/api/create-agent', { json: { agent_display_name: 'Keeper', config } });
  return body.agent_id;
}
const patch = (id: string, persona: object) =>
  api.ask(`/api/agent/${id}/persona`, { method: 'PATCH', json: persona });
const versionOf = async (id: string) => (await api.db('agents').where({ id }).first('version')).version;
const dispatch = (id: string, persona: object) =>
  api.ask('/api/trigger-call/', {
    json: {
      agent_id: id,
      medium: 'telephony',
      contact_number: '+919876543210',
      name: 'Asha',
      modify_agent: { persona },
    },
  });

const OTHER_ORIGINS = [
  'https://evil.example/orders',
  'http://shop.example/orders',
  'https://shop.example:8443/orders',
  'https://shop.example.evil.example/orders',
  'https://{{host}}/orders',
];

test.each([
  ...OTHER_ORIGINS.flatMap((url) => [
    [action({ url }), ['actions', 'order', 'headers', 'Authorization']],
    [action({ url, headers: { Authorization: MASK } }), ['actions', 'order', 'headers', 'Authorization']],
  ]),
  [primary({ url: 'wss://evil.example' }), ['senses_capabilities', 'brain', 'llm', 'primary', 'auth_token']],
  [
    primary({ url: 'ws://llm.example/calls', auth_token: MASK }),
    ['senses_capabilities', 'brain', 'llm', 'primary', 'auth_token'],
  ],
  [
    fallback({ url: 'wss://evil.example' }),
    ['senses_capabilities', 'brain', 'llm', 'fallback', 'auth_token'],
  ],
] as [object, string[]][])('rejects a new origin without the secret: %j', async (change, place) => {
  const id = await created(action(ACTION), primary(MODEL));
  await patch(id, fallback(MODEL));
  const before = await versionOf(id);
  const { status, body } = await patch(id, change);
  expect([status, body.detail]).toEqual([
    422,
    [
      {
        loc: ['body', ...place],
        msg: expect.stringContaining('send the secret again'),
        type: 'token.other_origin',
      },
    ],
  ]);
  expect(await versionOf(id)).toBe(before);
});

test('rejects a new origin after the URL was removed', async () => {
  const id = await created(action(ACTION));
  expect((await patch(id, action({ url: null }))).status).toBe(200);
  expect((await patch(id, action({ url: 'https://evil.example/' }))).body.detail[0].type).toBe(
    'token.other_origin',
  );
});

test.each([
  ['another path of the same origin', action({ url: 'https://SHOP.example:443/v2/{{id}}' })],
  ['the secret', action({ url: 'https://new.example/', headers: { Authorization: 'Bearer another' } })],
  ['the same secret', action({ url: 'https://new.example/', headers: { Authorization: HEADER } })],
  ['an empty secret', action({ url: 'https://new.example/', headers: { Authorization: '' } })],
  ['null in place of the headers', action({ url: 'https://new.example/', headers: null })],
  ['a variable', action({ url: 'https://new.example/', headers: { Authorization: 'Bearer {{key}}' } })],
])('accepts a changed URL with %s', async (_what, change) => {
  const id = await created(action(ACTION));
  expect((await patch(id, change)).status).toBe(200);
  expect((await dispatch(await created(action(ACTION)), change)).status).toBe(200);
});

test('restores an earlier version together with the URL that its secret belongs to', async () => {
  const id = await created(action(ACTION));
  const first = await versionOf(id);
  await patch(id, action({ url: 'https://new.example/', headers: { Authorization: 'Bearer another' } }));
  const restored = await api.ask(`/api/agent/${id}/restore`, { json: { version: first } });
  expect(restored.status).toBe(200);
  expect((await patch(id, action({ url: 'https://new.example/' }))).status).toBe(422);
});

test("rejects a dispatch that would send its agent's secret elsewhere, and places no call", async () => {
  const id = await created(action(ACTION), primary(MODEL));
  const changes = [action({ url: 'https://evil.example/' }), primary({ url: 'wss://evil.example' })];
  for (const change of changes) {
    const { status, body } = await dispatch(id, change);
    expect([status, body.detail[0].loc.slice(0, 3), body.detail[0].type]).toEqual([
      422,
      ['body', 'modify_agent', 'persona'],
      'token.other_origin',
    ]);
  }
  expect(await api.db('calls').where({ agent_id: id })).toEqual([]);
});

test("doesn't send a newer version's secret to the URL of an older dispatch", async () => {
  const id = await created(primary(MODEL));
  const secrets = new AgentSecrets({ secretsKeys: api.secretsKeys, organizationId: api.organization.id });
  const change: any = secrets.seal({ persona: primary({ url: 'wss://llm.example/v2' }) });
  await patch(id, primary({ url: 'wss://new.example', auth_token: 'token-of-the-new-server' }));
  const callId = await newCall(api, {
    agent_id: id,
    agent_version: await versionOf(id),
    stage: 'placed',
    modify_agent: change,
  });
  const { body } = await api.ask(`/api/carrier/calls/${callId}`, { as: null, headers: agentOf(api, callId) });
  expect(JSON.stringify(body)).not.toContain('token-of');
});

/** The API gives an agent the secret headers of an action for one request at a time, and only in the agent's own live call. */
describe('the secret headers of an action', () => {
  const STOCK = 'key-of-the-warehouse';
  const TOKEN = 'token-of-the-server';
  const action = (headers: object) => ({ type: 'http_request', url: 'https://shop.example/', headers });
  const PERSONA = {
    actions: {
      'Order now!': action({ Authorization: HEADER, 'X-Tenant': 'seven' }),
      stock: action({ 'x-api-key': STOCK }),
      open: action({ Accept: 'application/json' }),
      off: { ...action({ Authorization: 'Bearer of-what-is-off' }), enabled: false },
    },
    senses_capabilities: {
      brain: { llm: { primary: { provider: 'custom', url: 'wss://llm.example', auth_token: TOKEN } } },
    },
  };

  let api: TestApi;
  let agentId: string;
  beforeAll(async () => {
    api = await openTestApi({ carrierSecret: 'a-secret-of-the-carrier' });
    const json = { agent_display_name: 'Keeper', config: { persona: PERSONA } };
    agentId = (await api.ask('/api/create-agent', { json })).body.agent_id;
  });
  afterAll(() => api.close());

  const live = (row: object = {}) => newCall(api, { agent_id: agentId, stage: 'placed', ...row });
  const given = (callId: string, name: unknown, headers: Record<string, string> = agentOf(api, callId)) =>
    api.ask(`/api/carrier/calls/${callId}/action-secrets`, { as: null, headers, json: { action: name } });
  const countOf = async (callId: string): Promise<number> =>
    (await api.db('calls').where({ call_id: callId }).first('action_requests')).action_requests;

  test('masks the secrets of actions in the call context, but not the token of the language model', async () => {
    const callId = await live();
    const { body, text } = await api.ask(`/api/carrier/calls/${callId}`, {
      as: null,
      headers: agentOf(api, callId),
    });
    const { actions, senses_capabilities: senses } = body.agent.config.persona;
    expect(actions['Order now!'].headers).toEqual({ Authorization: MASK, 'X-Tenant': 'seven' });
    expect(actions.open.headers).toEqual({ Accept: 'application/json' });
    expect(senses.brain.llm.primary.auth_token).toBe(TOKEN);
    for (const secret of [HEADER, STOCK, 'of-what-is-off']) expect(text).not.toContain(secret);
  });

  test('returns the secret headers of the named action only, counts each request and logs no secret', async () => {
    const callId = await live();
    const { status, body, headers } = await given(callId, 'Order now!');
    expect([status, body, headers.get('cache-control')]).toEqual([
      200,
      { headers: { Authorization: HEADER } },
      'no-store',
    ]);
    expect((await given(callId, 'stock')).body).toEqual({ headers: { 'x-api-key': STOCK } });
    expect(await countOf(callId)).toBe(2);
    expect(api.logLines().join('')).not.toMatch(/key-of-the/);
  });

  test('returns the secret headers that the dispatch of this call set', async () => {
    const modify = { persona: { actions: { stock: { headers: { 'x-api-key': 'key-of-this-call' } } } } };
    const json = { agent_id: agentId, medium: 'telephony', contact_number: '+919876543210', name: 'Asha' };
    const { body } = await api.ask('/api/trigger-call/', { json: { ...json, modify_agent: modify } });
    const callId = body.output.call_id;
    await api.db('calls').where({ call_id: callId }).update({ stage: 'placed', agent_ticket: 1 });
    expect((await given(callId, 'stock')).body).toEqual({ headers: { 'x-api-key': 'key-of-this-call' } });
  });

  test.each([['open'], ['off'], ['order'], ['__proto__'], ['constructor'], [''], [7], [null]])(
    "rejects %j, an action without secret headers, and doesn't count the request",
    async (name) => {
      const callId = await live();
      const { status, body } = await given(callId, name);
      expect([status, body.detail[0].loc]).toEqual([422, ['body', 'action']]);
      expect(await countOf(callId)).toBe(0);
    },
  );

  test('returns 410 for a call that is over or has no line', async () => {
    for (const stage of ['over', 'waiting', 'claimed']) {
      const callId = await live({ stage });
      const { status, body } = await given(callId, 'stock');
      expect([stage, status, body.detail.code]).toEqual([stage, 410, 'CALL_OVER']);
    }
  });

  test('rejects every credential except the token of this call', async () => {
    const [callId, other] = [await live(), await live()];
    const secrets = [AGENT_SECRET, 'a-secret-of-the-carrier', api.organization.key, ''];
    const headers = [
      ...secrets.map((secret) => ({ Authorization: `Bearer ${secret}` })),
      agentOf(api, other),
      { 'X-API-Key': api.organization.key },
    ];
    for (const each of headers) expect((await given(callId, 'stock', each as never)).status).toBe(401);
    expect(await countOf(callId)).toBe(0);
  });

  test('limits how often headers are returned per call, even to concurrent requests', async () => {
    const callId = await live({ action_requests: MAX_ACTION_REQUESTS - 2 });
    const answers = await Promise.all(Array.from({ length: 5 }, () => given(callId, 'stock')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409]);
    expect(await countOf(callId)).toBe(MAX_ACTION_REQUESTS);
  });
});
