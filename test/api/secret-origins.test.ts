/** A stored secret must only be sent to the origin that it was stored with. */
import { AgentSecrets } from '../../api/agents/config/secrets';
import { SECRET_MASK as MASK } from '../../domain/secret-mask';
import { agentOf } from './support/agent-access';
import { newCall } from './support/rows';
import { openTestApi, type TestApi } from './support/test-api';

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
