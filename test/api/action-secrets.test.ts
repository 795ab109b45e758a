/**
 * The API gives an agent the secret headers of an action for one request at a time, and only in the agent's
 * own live call.
 */
import { MAX_ACTION_REQUESTS } from '../../db/calls/call-context';
import { SECRET_MASK as MASK } from '../../domain/secret-mask';
import { agentOf } from './support/agent-access';
import { newCall } from './support/rows';
import { AGENT_SECRET, openTestApi, type TestApi } from './support/test-api';

const HEADER = 'Bearer key-of-the-shop';
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
