/** Requests of the agent's process to the API. */
import { resolveConfig } from '../../domain/agent-config';
import { shippedProfile } from '../../domain/rules/profile';
import { agentOf } from './support/agent-access';
import { newAgent, newCall } from './support/rows';
import { AGENT_SECRET, openTestApi, type Answer, type TestApi } from './support/test-api';

const SECRET = 'a-secret-of-the-carrier';

let api: TestApi;
let agentId: string;

beforeAll(async () => {
  api = await openTestApi({ carrierSecret: SECRET });
  agentId = await newAgent(api, {
    config: {
      persona: {
        identity: { system_prompt: 'Sell.', greeting_message: { agent_message: 'Hello {{name}}.' } },
        metadata: { city: 'Delhi', product: 'loans' },
      },
      experience: { settings: { call_settings: { max_call_duration: 3 } } },
    },
  });
});
afterAll(() => api.close());

const callContextOf = (
  callId: string,
  headers: Record<string, string> = agentOf(api, callId),
): Promise<Answer> => api.ask(`/api/carrier/calls/${callId}`, { as: null, headers });

test("returns the agent's configuration for the call, with the variables that its texts use", async () => {
  const callId = await newCall(api, {
    agent_id: agentId,
    stage: 'placed',
    metadata: { city: 'Pune' },
    modify_agent: { persona: { identity: { system_prompt: 'Listen.' } } },
  });
  const { status, body, headers } = await callContextOf(callId);
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(body).toEqual({
    call_id: callId,
    medium: 'telephony',
    direction: 'Outbound',
    agent: { name: 'Collections', config: expect.any(Object) },
    variables: { city: 'Pune', product: 'loans', name: 'Asha' },
    session: null,
    max_talk_s: 180,
    ring_timeout_s: 30,
    amd: false,
    disclosure: '',
    custom_llm: null,
  });
  expect(body.agent.config.persona.identity).toMatchObject({
    system_prompt: 'Listen.',
    greeting_message: { agent_message: 'Hello {{name}}.' },
  });
});

test("returns the disclosure that the organization's rule profile demands of callbacks, but not of dispatched calls", async () => {
  const disclosed = { ...shippedProfile('none'), disclosure: 'This is an automated call.' };
  const times = { created_at: new Date(), updated_at: new Date() };
  const owner = { organization_id: api.organization.id };
  await api
    .db('rule_profiles')
    .insert({ ...owner, name: 'ours', profile: JSON.stringify(disclosed), ...times });
  await api.db('organizations').where({ id: api.organization.id }).update({ rule_profile: 'ours' });
  const callback = await newCall(api, { agent_id: agentId, callback_of: 'an earlier call' });
  const dispatch = await newCall(api, { agent_id: agentId });
  expect((await callContextOf(callback)).body.disclosure).toBe('This is an automated call.');
  expect((await callContextOf(dispatch)).body.disclosure).toBe('');
});

test('returns every field of the configuration within its limits, and no unknown keys', async () => {
  const settings = { end_call: { hangup_timeout: 900 }, call_settings: null };
  const callId = await newCall(api, {
    agent_id: agentId,
    modify_agent: { persona: { identity: { own: 'kept' } }, experience: { settings } },
  });
  const { config } = (await callContextOf(callId)).body.agent;
  expect(config).toEqual(resolveConfig(config));
  expect(config.persona.identity).not.toHaveProperty('own');
  expect(config.experience.settings).toMatchObject({
    end_call: { enabled: false, hangup_timeout: 60 },
    call_settings: { max_call_duration: 10 },
    idle_conversation_settings: { idle_call_warning_timeout: 10 },
  });
});

test("replaces the agent's voice with the one in the dispatch", async () => {
  const tts = { primary: { provider: 'openai', voice_id: 'nova' } };
  const modify = { persona: { senses_capabilities: { mouth: { tts } } } };
  const callId = await newCall(api, { agent_id: agentId, voice: 'onyx', modify_agent: modify });
  const { agent } = (await callContextOf(callId)).body;
  expect(agent.config.persona.senses_capabilities.mouth.tts.primary).toMatchObject({
    provider: 'openai',
    voice_id: 'onyx',
  });
  expect(agent.config.persona.identity.system_prompt).toBe('Sell.');
});

test("keeps the call's agent version after the agent has changed", async () => {
  const callId = await newCall(api, { agent_id: agentId });
  await api.ask(`/api/agent/${agentId}/persona`, {
    method: 'PATCH',
    json: { identity: { system_prompt: 'Changed since.' } },
  });
  expect((await callContextOf(callId)).body.agent.config.persona.identity.system_prompt).toBe('Sell.');
});

test('returns every session field that the dispatch of a browser session set', async () => {
  const session = {
    voice_gender: 'male',
    primary_language: 'ta',
    secondary_language: 'en',
    welcome_message: 'Vanakkam {{name}}',
    welcome_interruptible: false,
    bg_noise_enabled: true,
    bg_noise_volume: 20,
    voice_speed: 1.2,
  };
  const callId = await newCall(api, {
    call_id: 'room_with_context',
    agent_id: agentId,
    medium: 'webrtc',
    call_type: 'Inbound',
    direction: 'Incoming',
    name: null,
    to_number: null,
    session: JSON.stringify(session),
  });
  expect((await callContextOf(callId)).body).toMatchObject({
    medium: 'webrtc',
    direction: 'Incoming',
    session,
  });
});

const CUSTOM = { senses_capabilities: { brain: { llm: { primary: { provider: 'custom' } } } } };
const customOf = (columns: object): Promise<Answer> =>
  newCall(api, { agent_id: agentId, stage: 'placed', ...columns }).then((callId) => callContextOf(callId));

test('returns the data that a custom LLM receives with each turn', async () => {
  const modify_agent = { persona: { ...CUSTOM, metadata: { tier: 'gold' } } };
  const { body } = await customOf({ modify_agent, x_agent_id: 'tenant-7', metadata: { city: 'Pune' } });
  expect(body.custom_llm).toEqual({
    x_agent_id: 'tenant-7',
    modify_agent,
    contact_number: '+919876543210',
    metadata: { city: 'Pune' },
  });
});

test.each([
  [
    'a caller',
    { direction: 'Incoming', call_type: 'Inbound', from_number: '+919811111111' },
    '+919811111111',
  ],
  [
    'a caller who hides their number',
    { direction: 'Incoming', call_type: 'Inbound', from_number: null },
    null,
  ],
  [
    'a browser session',
    { medium: 'webrtc', direction: 'Incoming', from_number: 'web-user', to_number: null },
    null,
  ],
])("gives a custom LLM the person's number for %s", async (_who, columns, number) => {
  const { body } = await customOf({ ...columns, modify_agent: { persona: CUSTOM }, x_agent_id: null });
  expect(body.custom_llm).toMatchObject({ contact_number: number, x_agent_id: null });
});

test('returns 410 for a call that is over and 404 for an unknown one', async () => {
  const callId = await newCall(api, { agent_id: agentId, stage: 'over', call_status: 'completed' });
  const over = await callContextOf(callId);
  expect([over.status, over.body.detail.code]).toEqual([410, 'CALL_OVER']);
  for (const unknown of ['outbound-1-nobodys', 'x', '%00', '..%2f..']) {
    const { status, body } = await callContextOf(unknown);
    expect([unknown, status, body.detail.code]).toEqual([unknown, 404, 'CALL_NOT_FOUND']);
  }
});

test('rejects API keys and the secrets of carrier and agents', async () => {
  const callId = await newCall(api, { agent_id: agentId });
  const others: Record<string, string>[] = [
    {},
    { Authorization: 'Bearer ' },
    { Authorization: 'Bearer wrong' },
    { Authorization: `Bearer ${SECRET}` },
    { Authorization: `Bearer ${AGENT_SECRET}` },
    { Authorization: agentOf(api, callId).Authorization.replace('Bearer ', '') },
    { 'X-API-Key': api.organization.key },
  ];
  for (const headers of others) {
    const { status, body } = await callContextOf(callId, headers);
    expect([headers, status, body.detail.code]).toEqual([headers, 401, 'NOT_AUTHORISED']);
  }
});

test("logs the agent's events at debug level, but a rejected one at info level", async () => {
  const callId = await newCall(api, { agent_id: agentId, stage: 'requested' });
  const event = { type: 'ringing', carrier_id: 'c', reference: callId, at: '2026-11-02T05:00:00.000Z' };
  const path = `/api/carrier/calls/${callId}/events`;
  const from = api.logLines().length;
  await api.ask(path, { as: null, headers: agentOf(api, callId), json: event });
  await api.ask(path, { as: null, json: event });
  const answered = api
    .logLines()
    .slice(from)
    .map((line) => JSON.parse(line))
    .filter(({ route }) => route !== undefined);
  const route = '/api/carrier/calls/:call_id/events';
  expect(answered).toMatchObject([
    { level: 20, route, status: 200 },
    { level: 30, route, status: 401 },
  ]);
});

test('logs no name, number or call id', async () => {
  const callId = await newCall(api, { agent_id: agentId });
  await callContextOf(callId);
  const lines = api.logLines().filter((line) => line.includes('/api/carrier/calls'));
  expect(lines.length).toBeGreaterThan(0);
  expect(
    lines.filter((line) => line.includes(callId) || line.includes('Asha') || line.includes('98765')),
  ).toEqual([]);
});
