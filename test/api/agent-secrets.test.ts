/**
 * Secrets in an agent's configuration are masked in responses, encrypted in the database, and given in full
 * to the agent in a call.
 */
import { onlyKey } from '../../db/kernel/secrets-keys';
import { AgentSecrets, masked } from '../../api/agents/config/secrets';
import { SECRET_MASK as MASK } from '../../domain/secret-mask';
import { agentOf } from './support/agent-access';
import { newCall } from './support/rows';
import { openTestApi, type TestApi } from './support/test-api';

const CARRIER_SECRET = 'a-secret-of-the-carrier';
const TOKEN = 'token-of-the-server';
const HEADER = 'Bearer key-of-the-shop';
const OTHER_HEADER = 'key-of-the-warehouse';

const ACTIONS = {
  order: {
    type: 'http_request',
    url: 'https://shop.example/orders',
    headers: { Authorization: HEADER, 'Content-Type': 'application/json', 'X-Tenant': 'seven' },
  },
  stock: { type: 'http_request', url: 'https://shop.example/stock', headers: { 'x-api-key': OTHER_HEADER } },
  hang_up: { type: 'end_call' },
};
const PERSONA = {
  actions: ACTIONS,
  senses_capabilities: {
    brain: { llm: { primary: { provider: 'custom', url: 'wss://llm.example', auth_token: TOKEN } } },
  },
};
/** The schema keeps unknown keys. */
const CONFIG: any = { persona: PERSONA };

let api: TestApi;
let agentId: string;

beforeAll(async () => {
  api = await openTestApi({ carrierSecret: CARRIER_SECRET });
  agentId = await created(PERSONA);
});
afterAll(() => api.close());

async function created(persona: object): Promise<string> {
  const { body } = await api.ask('/api/create-agent', {
    json: { agent_display_name: 'Keeper', config: { persona } },
  });
  return body.agent_id;
}
const patch = (id: string, persona: object) =>
  api.ask(`/api/agent/${id}/persona`, { method: 'PATCH', json: persona });
const shown = async (id: string) => (await api.ask(`/api/agent/${id}`)).body.config.persona;
const versionOf = async (id: string) => (await api.db('agents').where({ id }).first('version')).version;

/** The call context as the agent's process receives it, with the secret headers of each action filled in. */
async function callContextOf(id: string, call: object = {}) {
  const callId = await newCall(api, {
    agent_id: id,
    agent_version: await versionOf(id),
    stage: 'placed',
    ...call,
  });
  const asAgent = { as: null, headers: agentOf(api, callId) };
  const { body } = await api.ask(`/api/carrier/calls/${callId}`, asAgent);
  for (const [action, { headers }] of Object.entries<any>(body.agent.config.persona.actions)) {
    if (!Object.values(headers ?? {}).includes(MASK)) continue;
    const given = await api.ask(`/api/carrier/calls/${callId}/action-secrets`, {
      ...asAgent,
      json: { action },
    });
    Object.assign(headers, given.body.headers);
  }
  return body;
}

test('accepts an LLM token of the documented maximum length and later changes of its section', async () => {
  const longest = 'x'.repeat(4_096);
  const withToken = (auth_token: string) => ({
    senses_capabilities: { brain: { llm: { primary: { auth_token } } } },
  });
  const [id, other] = [await created(withToken(longest)), await created({})];
  expect((await patch(other, withToken(longest))).status).toBe(200);
  expect((await patch(id, { senses_capabilities: { language: 'hi' } })).status).toBe(200);
  for (const each of [id, other]) {
    const { primary } = (await callContextOf(each)).agent.config.persona.senses_capabilities.brain.llm;
    expect(primary.auth_token).toBe(longest);
  }
  expect((await patch(id, withToken(`${longest}x`))).status).toBe(422);
});

test('masks headers that contain a secret and shows the others', async () => {
  const { actions } = await shown(agentId);
  expect(actions).toEqual({
    ...ACTIONS,
    order: { ...ACTIONS.order, headers: { ...ACTIONS.order.headers, Authorization: MASK } },
    stock: { ...ACTIONS.stock, headers: { 'x-api-key': MASK } },
  });
});

test.each([
  ['Authorization', 'Bearer {{api_token}}'],
  ['Authorization', '{{api_token}}'],
  ['X-Api-Key', ''],
  ['Accept', 'application/json'],
])('shows the header %s: %s, which is not a secret', async (name, value) => {
  const actions = { ask: { ...ACTIONS.stock, headers: { [name]: value } } };
  expect((await shown(await created({ actions }))).actions).toEqual(actions);
});

test('accepts a configuration as returned: masks keep secrets, and an unchanged secret creates no version', async () => {
  const id = await created(PERSONA);
  const read = await shown(id);
  read.actions.stock.url = 'https://shop.example/v2/stock';
  expect((await patch(id, read)).status).toBe(200);
  const { agent } = await callContextOf(id);
  expect(agent.config.persona.actions).toMatchObject({
    ...ACTIONS,
    stock: { ...ACTIONS.stock, url: 'https://shop.example/v2/stock' },
  });
  await patch(id, { actions: { order: { headers: { Authorization: 'Bearer another' } } } });
  expect((await callContextOf(id)).agent.config.persona.actions.order.headers.Authorization).toBe(
    'Bearer another',
  );
  const before = await versionOf(id);
  await patch(id, { actions: { order: { headers: { Authorization: 'Bearer another' } } } });
  expect(await versionOf(id)).toBe(before);
});

test('masks a number that is used as a secret, and sends it as text', async () => {
  const id = await created({ actions: { ask: { ...ACTIONS.stock, headers: { 'X-Api-Key': 123_456 } } } });
  expect((await shown(id)).actions.ask.headers).toEqual({ 'X-Api-Key': MASK });
  expect((await callContextOf(id)).agent.config.persona.actions.ask.headers).toEqual({
    'X-Api-Key': '123456',
  });
});

test('rejects a mask that was moved to an action with another name, and changes nothing', async () => {
  const id = await created(PERSONA);
  const { order } = (await shown(id)).actions;
  const { status, body } = await patch(id, { actions: { order: null, new_order: order } });
  expect([status, body.detail]).toEqual([
    422,
    [
      {
        loc: ['body', 'actions', 'new_order', 'headers', 'Authorization'],
        msg: expect.stringContaining('no secret is stored for this field'),
        type: 'token.masked',
      },
    ],
  ]);
  expect((await callContextOf(id)).agent.config.persona.actions).toMatchObject(ACTIONS);
});

test('encrypts and masks thousands of headers quickly, even if their values are slow to match', () => {
  const headers = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`key-${n}`, 'x']));
  const slow = { 'x-key': `${' '.repeat(200_000)}x`, 'y-key': `bearer ${'{{a}}'.repeat(40_000)}x` };
  const config: any = { persona: { actions: { ask: { headers: { ...headers, ...slow } } } } };
  const secrets = new AgentSecrets({ secretsKeys: api.secretsKeys, organizationId: api.organization.id });
  const sealed: any = secrets.seal(config);
  expect(secrets.open(sealed)).toEqual(config);
  expect(new Set(Object.values((masked('persona', sealed.persona) as any).actions.ask.headers))).toEqual(
    new Set([MASK]),
  );
});

test('rejects a mask without a stored secret, and reports its path', async () => {
  const actions = { order: { headers: { Authorization: MASK } } };
  const { status, body } = await api.ask('/api/create-agent', {
    json: { agent_display_name: 'Keeper', config: { persona: { actions } } },
  });
  expect([status, body.detail[0].loc]).toEqual([
    422,
    ['body', 'config', 'persona', 'actions', 'order', 'headers', 'Authorization'],
  ]);
});

test('gives the agent the full secrets of its configuration and of a dispatch', async () => {
  const secrets = new AgentSecrets({ secretsKeys: api.secretsKeys, organizationId: api.organization.id });
  const change: any = {
    persona: { actions: { order: { headers: { Authorization: 'Bearer for-this-call' } } } },
  };
  const body = await callContextOf(agentId, { modify_agent: secrets.seal(change) });
  const { persona } = body.agent.config;
  expect(persona.senses_capabilities).toMatchObject(PERSONA.senses_capabilities);
  expect(persona.actions.order.headers.Authorization).toBe('Bearer for-this-call');
  expect(persona.actions.stock).toMatchObject(ACTIONS.stock);
  expect(body.custom_llm.modify_agent).toEqual(change);
});

test('stores and logs no secret in clear text', async () => {
  const brought = 'token-that-a-dispatch-brought';
  const { status } = await api.ask('/api/trigger-call/', {
    json: {
      agent_id: agentId,
      medium: 'telephony',
      contact_number: '+919876543210',
      name: 'Asha',
      modify_agent: {
        persona: { senses_capabilities: { brain: { llm: { primary: { auth_token: brought } } } } },
      },
    },
  });
  expect(status).toBe(200);
  const rows = await Promise.all(
    ['agents', 'agent_configs', 'calls'].map(
      async (table) => (await api.db.raw(`select t::text as text from ${table} t`)).rows,
    ),
  );
  const text = rows.flatMap((of) => of.map((row: any) => row.text)).join('\n');
  expect(text).toContain('https://shop.example/orders');
  expect(text).toContain('sealed:v1:');
  for (const secret of [TOKEN, 'key-of-the-shop', OTHER_HEADER, brought]) {
    expect(text).not.toContain(secret);
    expect(api.logLines().join('')).not.toContain(secret);
  }
});

test("encrypts a secret so that another organization or key can't decrypt it", () => {
  const owner = { secretsKeys: api.secretsKeys, organizationId: 'one' };
  const sealed = new AgentSecrets(owner).seal(CONFIG);
  expect(new AgentSecrets(owner).open(sealed)).toEqual(CONFIG);
  const others = [
    { ...owner, organizationId: 'two' },
    { ...owner, secretsKeys: onlyKey(Buffer.alloc(32, 7)) },
  ];
  for (const other of others) {
    expect(new AgentSecrets(other).seal(CONFIG)).not.toEqual(sealed);
    expect(() => new AgentSecrets(other).open(sealed)).toThrow();
  }
});

test("rejects a secret stored in clear text with an error that doesn't contain it", () => {
  const secrets = new AgentSecrets({ secretsKeys: api.secretsKeys, organizationId: 'one' });
  expect(() => secrets.open(CONFIG)).toThrow('an agent secret is stored unencrypted');
});
