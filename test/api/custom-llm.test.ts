/** The settings of a custom LLM server in an agent's configuration. */
import { AgentSecrets } from '../../api/agents/config/secrets';
import { findAgent } from '../../db/agents/agents';
import { SECRET_MASK as MASK } from '../../domain/secret-mask';
import { newAgent } from './support/rows';
import { openTestApi, type TestApi } from './support/test-api';

const TOKEN = 'token-of-the-server';
const URL = 'wss://llm.example/v1?tenant=7';
const PATH = ['persona', 'senses_capabilities', 'brain', 'llm', 'primary'];

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const withPrimary = (primary: object) => ({ senses_capabilities: { brain: { llm: { primary } } } });
const create = (primary: object) =>
  api.ask('/api/create-agent', {
    json: { agent_display_name: 'Own brain', config: { persona: withPrimary(primary) } },
  });
const patch = (id: string, persona: object) =>
  api.ask(`/api/agent/${id}/persona`, { method: 'PATCH', json: persona });
const stored = async (id: string) => {
  const agent = await findAgent(api.db, api.organization.id, id);
  const secrets = new AgentSecrets({ secretsKeys: api.secretsKeys, organizationId: api.organization.id });
  const config: any = secrets.open(agent?.config ?? {});
  return config.persona.senses_capabilities.brain.llm;
};

async function made(primary: object): Promise<string> {
  const { status, body } = await create({ provider: 'custom', url: URL, auth_token: TOKEN, ...primary });
  expect([status, body.detail]).toEqual([200, undefined]);
  return body.agent_id;
}

test('masks the token in responses and stores it', async () => {
  const id = await made({});
  const { body } = await api.ask(`/api/agent/${id}`);
  expect(body.config.persona).toEqual(withPrimary({ provider: 'custom', url: URL, auth_token: MASK }));
  expect(JSON.stringify((await api.ask('/api/agents')).body)).not.toContain(TOKEN);
  expect((await stored(id)).primary.auth_token).toBe(TOKEN);
});

test('keeps the token and changes the rest when a mask is sent back', async () => {
  const id = await made({});
  const { persona } = (await api.ask(`/api/agent/${id}`)).body.config;
  persona.senses_capabilities.brain.llm.primary.url = `${URL}/v2`;
  expect((await patch(id, persona)).status).toBe(200);
  expect((await stored(id)).primary).toEqual({
    provider: 'custom',
    url: `${URL}/v2`,
    auth_token: TOKEN,
  });
  await patch(id, withPrimary({ auth_token: 'another' }));
  expect((await stored(id)).primary.auth_token).toBe('another');
});

test('shows an empty or null token as it is', async () => {
  const id = await made({ auth_token: '' });
  const read = async () => (await api.ask(`/api/agent/${id}`)).body.config.persona;
  expect(await read()).toEqual(withPrimary({ provider: 'custom', url: URL, auth_token: '' }));
  await patch(id, withPrimary({ auth_token: null }));
  expect(await read()).toEqual(withPrimary({ provider: 'custom', url: URL, auth_token: null }));
});

test('rejects a mask when no token is stored: in a new agent and in modify_agent', async () => {
  const created = await create({ auth_token: MASK });
  const loc = ['body', 'config', ...PATH, 'auth_token'];
  expect([created.status, created.body.detail]).toEqual([
    422,
    [{ loc, msg: expect.stringContaining('send the secret'), type: 'token.masked' }],
  ]);
  const dispatched = await api.ask('/api/trigger-call/', {
    json: {
      agent_id: await newAgent(api),
      medium: 'telephony',
      contact_number: '+919876543210',
      name: 'Asha',
      modify_agent: { persona: withPrimary({ auth_token: MASK }) },
    },
  });
  expect([dispatched.status, dispatched.body.detail[0].loc]).toEqual([
    422,
    ['body', 'modify_agent', ...PATH, 'auth_token'],
  ]);
});

test.each([
  [{ url: 'https://llm.example' }],
  [{ url: 'llm.example' }],
  [{ url: 'wss:///path-alone' }],
  [{ url: 'wss://user:password@llm.example' }],
  [{ url: 'wss://llm.example/#part' }],
  [{ url: 'wss://llm.example/a b' }],
  [{ url: 7 }],
  [{ auth_token: 'two words' }],
  [{ auth_token: 'line\r\nX-Other: header' }],
  [{ auth_token: 'ü' }],
  [{ auth_token: 'x'.repeat(5_000) }],
  [{ auth_token: ['x'] }],
])('rejects %j without repeating the value', async (primary) => {
  const { status, body } = await create(primary);
  const [field = '', value] = Object.entries(primary)[0] ?? [];
  expect([status, body.detail.map(({ loc }: any) => loc.at(-1))]).toEqual([422, [field]]);
  expect(JSON.stringify(body)).not.toContain(String(value).slice(0, 12));
});

test.each(['', 'ws://localhost:8765', 'wss://[2606:4700::1]:8443/a/b', 'wss://llm.example'])(
  'accepts the URL %j, because its target is checked on connection',
  (url) => made({ url }),
);

test('logs no token', () => {
  expect(api.logLines().filter((line) => line.includes(TOKEN))).toEqual([]);
});
