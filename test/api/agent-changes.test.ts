import { reviseSection } from '../../api/agents/revise-section';
import type { JsonObject } from '../../domain/json';
import { namedFields } from '../../api/agents/change';
import { registerNumbers } from '../../db/agents/numbers';
import { countOf, newAgent } from './support/rows';
import { openTestApi, type TestApi, type TestOrganization } from './support/test-api';

describe("a change of an agent's configuration", () => {
  const answering = (number: string | null, greeting = 'Hello.', metadata: JsonObject = {}) => ({
    persona: {
      identity: { system_prompt: 'Talk.', greeting_message: { agent_message: greeting } },
      metadata,
    },
    deployment: { phone: { call_type: { Inbound: number } } },
  });
  const routeAfter = (
    config: JsonObject,
    section: 'persona' | 'deployment' | 'training',
    change: JsonObject,
  ) => {
    const result = reviseSection({ config }, { section, change });
    return 'revision' in result ? result.revision?.route : result;
  };
  const inbound = (number: string | null) => ({ phone: { call_type: { Inbound: number } } });
  const greets = (greeting: string) => ({ identity: { greeting_message: { agent_message: greeting } } });

  test.each<[string, JsonObject, 'persona' | 'deployment' | 'training', JsonObject, unknown]>([
    [
      'claims the number that it sets',
      answering(null),
      'deployment',
      inbound('+911100000001'),
      { kind: 'take', number: '+911100000001' },
    ],
    [
      'claims another number',
      answering('+911100000001'),
      'deployment',
      inbound('+911100000002'),
      { kind: 'take', number: '+911100000002' },
    ],
    [
      'releases the number with an empty text',
      answering('+911100000001'),
      'deployment',
      inbound(''),
      { kind: 'release' },
    ],
    [
      'releases the number with null',
      answering('+911100000001'),
      'deployment',
      inbound(null),
      { kind: 'release' },
    ],
    [
      'renews the route with the greeting',
      answering('+911100000001'),
      'persona',
      greets('Welcome.'),
      { kind: 'renew' },
    ],
    [
      'renews the route with a variable of the greeting',
      answering('+911100000001', 'This is {{clinic}}.', { clinic: 'one' }),
      'persona',
      { metadata: { clinic: 'other' } },
      { kind: 'renew' },
    ],
    [
      "keeps the route for changes that callers don't hear",
      answering('+911100000001'),
      'training',
      { a: 1 },
      { kind: 'none' },
    ],
    [
      'renews no route when the agent has no number',
      answering(''),
      'persona',
      greets('Welcome.'),
      { kind: 'none' },
    ],
  ])('%s', (_what, config, section, change, route) => {
    expect(routeAfter(config, section, change)).toEqual(route);
  });
});

test.each([
  ['a leaf', { identity: { system_prompt: 'Talk.' } }, ['persona.identity.system_prompt']],
  [
    'each leaf',
    { identity: { greeting_message: { interruptible: true, agent_message: null } } },
    ['persona.identity.greeting_message.interruptible', 'persona.identity.greeting_message.agent_message'],
  ],
  [
    'a map without the keys that the client chose',
    { metadata: { 'Asha Rao': 'owes 5' } },
    ['persona.metadata'],
  ],
  ['the path of unknown keys, once', { identity: { mood: 1, tempo: 2 } }, ['persona.identity']],
  ['the section for an unknown key in it', { colour: 'blue' }, ['persona']],
  [
    'a list as one field',
    { senses_capabilities: { ears: { stt: { primary: { keywords: ['a'] } } } } },
    ['persona.senses_capabilities.ears.stt.primary.keywords'],
  ],
  ['the section for an empty change', {}, ['persona']],
])('records a change by %s', (_name, change, fields) => {
  expect(namedFields('persona', change)).toEqual(fields);
});

describe("an agent's versions", () => {
  const FIRST = {
    persona: { identity: { system_prompt: 'Be kind', personality: { warm: 1 } } },
    training: { know_how: { faq: { 'Open on Sunday?': 'No.' } } },
  };

  let api: TestApi;
  let agentId: string;

  beforeAll(async () => {
    api = await openTestApi();
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    agentId = await newAgent(api, { config: FIRST });
  });

  const patch = async (section: string, json: object, as = api.organization) => {
    const answer = await api.ask(`/api/agent/${agentId}/${section}`, { method: 'PATCH', json, as });
    if (answer.status !== 200) throw new Error(answer.text);
  };
  const versions = async (query = '') => (await api.ask(`/api/agent/${agentId}/versions${query}`)).body;
  const restore = (version: unknown, as: TestOrganization = api.organization) =>
    api.ask(`/api/agent/${agentId}/restore`, { json: { version }, as });
  const configOf = async (query = '') => (await api.ask(`/api/agent/${agentId}${query}`)).body.config;

  describe('the versions of an agent', () => {
    test('lists versions newest first, in pages, with the sections that each version changed', async () => {
      const created = new Date(api.clock.time).toISOString();
      api.clock.time += 60_000;
      await patch('persona', { identity: { system_prompt: 'Be brief' } });
      await patch('experience', { conversational_experience: { eagerness_to_speak: 'slow' } });
      const changed = new Date(api.clock.time).toISOString();
      expect(await versions()).toEqual({
        data: [
          { version: 3, created_at: changed, current: true, used: false, changed: ['experience'] },
          { version: 2, created_at: changed, current: false, used: false, changed: ['persona'] },
          { version: 1, created_at: created, current: false, used: false, changed: ['persona', 'training'] },
        ],
        pagination: expect.objectContaining({ total_count: 3, total_pages: 1 }),
      });
      const second = await versions('?page=2&page_size=2');
      expect(second.data.map(({ version }: any) => version)).toEqual([1]);
    });

    test('marks the versions that a call has used', async () => {
      const call = { agent_id: agentId, contact_number: '+919876543210', name: 'Asha' };
      expect((await api.ask('/api/trigger-call/', { json: call })).status).toBe(200);
      await patch('persona', { metadata: { city: 'Pune' } });
      expect((await versions()).data.map(({ used }: any) => used)).toEqual([false, true]);
    });

    test('returns an earlier version as it was, with secrets masked', async () => {
      const secret = { provider: 'custom', url: 'wss://llm.example.test', auth_token: 'secret-token-1' };
      await patch('persona', { senses_capabilities: { brain: { llm: { primary: secret } } } });
      await patch('persona', { identity: { system_prompt: 'Be brief' }, senses_capabilities: null });
      const { text, body } = await api.ask(`/api/agent/${agentId}?version=2`);
      expect(text).not.toContain('secret-token-1');
      expect(text).not.toContain('sealed');
      expect(body.config.persona.identity.system_prompt).toBe('Be kind');
      expect(body.config.persona.senses_capabilities.brain.llm.primary.auth_token).toMatch(/^\W+$/);
      expect((await configOf()).persona.identity.system_prompt).toBe('Be brief');
    });

    test.each(['0', 'first', '2147483648'])(
      "returns 422 for %s, which isn't a version of the agent",
      async (version) => {
        expect((await api.ask(`/api/agent/${agentId}?version=${version}`)).status).toBe(422);
        expect((await restore(version)).status).toBe(422);
      },
    );
  });

  describe('restoring a version of an agent', () => {
    test('restores a version as a new current one and records the action', async () => {
      const before = await configOf();
      await patch('persona', { identity: { personality: null, system_prompt: null } });
      await patch('analysis', { extraction: { collect_concerns: { enabled: true } } });
      const { status, body } = await restore(1);
      expect([status, body]).toEqual([200, { success: true, version: 4 }]);
      expect(await configOf()).toEqual(before);
      expect((await api.ask(`/api/agent/${agentId}`)).body.status).toBe('running');
      expect((await versions()).data[0]).toMatchObject({ version: 4, changed: ['persona', 'analysis'] });
      const audit = await api.db('audit_log').where({ subject_id: agentId, action: 'agent.restore' });
      expect(audit).toMatchObject([{ fields: ['version.1'] }]);
    });

    test('restores secrets, which responses only show masked', async () => {
      const primary = { provider: 'custom', url: 'wss://llm.example.test', auth_token: 'secret-token-1' };
      const llm = (auth_token: string | null) => ({
        senses_capabilities: { brain: { llm: { primary: { ...primary, auth_token } } } },
      });
      await patch('persona', llm('secret-token-1'));
      const stored = () =>
        api
          .db('agent_versions as v')
          .join('agent_configs as f', 'f.id', 'v.config_id')
          .where({ 'v.agent_id': agentId })
          .orderBy('version', 'desc')
          .first('config');
      const { config } = await stored();
      await patch('persona', llm('another-token-2'));
      await restore(2);
      expect((await stored()).config).toEqual(config);
    });

    test('creates no version and no audit entry when the current version is restored', async () => {
      const audits = await countOf(api, 'audit_log');
      expect((await restore(1)).body).toEqual({ success: true, version: 1 });
      expect((await versions()).data).toHaveLength(1);
      expect(await countOf(api, 'audit_log')).toBe(audits);
    });

    test('registers the inbound number of a restored version, unless another agent has it now', async () => {
      const number = '+918012340001';
      const inbound = (Inbound: string) => ({ deployment: { phone: { call_type: { Inbound } } } });
      await patch('deployment', inbound(number));
      await patch('deployment', inbound(''));
      await restore(2);
      const route = () => api.db('inbound_routes').where({ number }).first('agent_id');
      expect((await route()).agent_id).toBe(agentId);
      await patch('deployment', inbound(''));
      const other = await newAgent(api, { name: 'Other', config: inbound(number) });
      const { status, body } = await restore(2);
      expect([status, body.detail.code]).toEqual([409, 'NUMBER_IN_USE']);
      expect((await route()).agent_id).toBe(other);
    });

    test('returns 422 when a number of the version now belongs to another organization', async () => {
      const numbers = ['+918012340002'];
      await patch('deployment', { deployment: { phone: { call_type: { Outbound: numbers } } } });
      await patch('deployment', { deployment: { phone: { call_type: { Outbound: [] } } } });
      await api.db.transaction((trx) =>
        registerNumbers(trx, { organizationId: api.stranger.id, numbers }, api.clock.time),
      );
      const { status, body } = await restore(2);
      expect([status, body.detail.code]).toEqual([422, 'NUMBER_NOT_YOURS']);
    });

    test("returns 404 for another organization's agent", async () => {
      for (const answer of [
        await restore(1, api.stranger),
        await api.ask(`/api/agent/${agentId}?version=1`, { as: api.stranger }),
        await api.ask(`/api/agent/${agentId}/versions`, { as: api.stranger }),
      ]) {
        expect([answer.status, answer.body.detail.code]).toEqual([404, 'AGENT_NOT_FOUND']);
      }
    });
  });
});
