import { randomUUID } from 'node:crypto';
import { findAgent } from '../../db/agents/agents';
import { countOf, newAgent } from './support/rows';
import { MONDAY, openTestApi, type TestApi, type TestOrganization } from './support/test-api';

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const create = (json: unknown, as = api.organization) => api.ask('/api/create-agent', { json, as });
const CONFIG = {
  persona: { identity: { system_prompt: 'Be kind', personality: { warm: 1 } } },
  deployment: { deployment: { phone: { call_type: { Outbound: ['+918012345678'] } } } },
};

describe('POST /api/create-agent', () => {
  test('returns the id and the display name', async () => {
    const { status, body } = await create({ agent_display_name: 'Loan Desk', config: CONFIG });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      agent_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      agent_name: 'Loan Desk',
      client_id: api.organization.id,
    });
  });

  test('publishes the agent with a slug and stores its first version', async () => {
    const { body } = await create({ agent_display_name: 'Front Desk', config: CONFIG });
    const agent = await api.ask(`/api/agent/${body.agent_id}`);
    expect(agent.status).toBe(200);
    expect(agent.body).toEqual({
      id: body.agent_id,
      agent_name: 'front-desk',
      display_name: 'Front Desk',
      client_id: api.organization.id,
      client_name: 'Asha Finance',
      published: true,
      published_at: new Date(MONDAY).toISOString(),
      last_edited_at: new Date(MONDAY).toISOString(),
      deployment_config: { phone: { call_type: { Outbound: ['+918012345678'] } } },
      status: 'running',
      gsheet_config: null,
      archived: false,
      config: {
        persona: CONFIG.persona,
        training: {},
        experience: {},
        analysis: {},
        deployment: { phone: { call_type: { Outbound: ['+918012345678'] } } },
      },
    });
    expect(await findAgent(api.db, api.organization.id, body.agent_id)).toMatchObject({
      version: 1,
      config: { persona: CONFIG.persona },
    });
  });

  test('leaves an agent without a system prompt in the status initialized', async () => {
    const { body } = await create({ agent_display_name: 'Bare' });
    expect((await api.ask(`/api/agent/${body.agent_id}`)).body.status).toBe('initialized');
  });

  test('gives two agents with the same name different slugs, even when created concurrently', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => create({ agent_display_name: 'Twin' })));
    const names = await Promise.all(
      answers.map(
        async ({ body }) => (await api.ask(`/api/agent/${body.agent_id}`)).body.agent_name as string,
      ),
    );
    expect(names.sort()).toEqual(['twin', 'twin-2', 'twin-3']);
  });

  test("returns 409 for another agent's inbound number", async () => {
    const config = { deployment: { phone: { call_type: { Inbound: '+918011111111' } } } };
    await create({ agent_display_name: 'Answering', config });
    const { status, body } = await create({ agent_display_name: 'Second', config }, api.stranger);
    expect([status, body.detail.code]).toEqual([409, 'NUMBER_IN_USE']);
  });

  test.each([
    [{}, [['body', 'agent_display_name']]],
    [{ agent_display_name: '' }, [['body', 'agent_display_name']]],
    [{ agent_display_name: '  ' }, [['body', 'agent_display_name']]],
    [{ agent_display_name: 5 }, [['body', 'agent_display_name']]],
    [{ agent_display_name: 'A', config: [] }, [['body', 'config']]],
    [{ agent_display_name: 'A', config: { voice: {} } }, [['body', 'config', 'voice']]],
    [
      { config: { persona: { identity: { system_prompt: 5 } } } },
      [
        ['body', 'agent_display_name'],
        ['body', 'config', 'persona', 'identity', 'system_prompt'],
      ],
    ],
  ])('rejects %j and stores nothing', async (json, locs) => {
    const before = await countOf(api, 'agents');
    const { status, body } = await create(json);
    expect(status).toBe(422);
    expect(body.detail.map((fault: any) => fault.loc)).toEqual(locs);
    expect(await countOf(api, 'agents')).toBe(before);
  });
});

describe('GET /api/agents', () => {
  let owner: TestOrganization;

  beforeAll(async () => {
    owner = await api.newOrganization();
    for (const [index, name] of ['Alpha 100%', 'Beta_x', 'Gamma'].entries()) {
      api.clock.time = MONDAY + index;
      await newAgent(api, { as: owner, name });
    }
    api.clock.time = MONDAY;
    await api
      .db('agents')
      .where({ organization_id: owner.id, agent_name: 'gamma' })
      .update({ published: false });
    const archived = await newAgent(api, { as: owner, name: 'Archived' });
    await api.db('agents').where({ id: archived }).update({ archived: true });
  });

  const list = (query = '') => api.ask(`/api/agents${query}`, { as: owner });
  const names = (agents: { display_name: string }[]) => agents.map((agent) => agent.display_name);

  test('returns a bare array of all agents when no page is requested', async () => {
    const { status, body } = await list('?page_size=1');
    expect([status, names(body)]).toEqual([200, ['Gamma', 'Beta_x', 'Alpha 100%']]);
    expect(Object.keys(body[0])).toEqual([
      'id',
      'agent_name',
      'display_name',
      'client_id',
      'client_name',
      'published',
      'published_at',
      'last_edited_at',
      'deployment_config',
      'status',
      'gsheet_config',
      'archived',
    ]);
  });

  test('returns a page with pagination when a page is requested', async () => {
    const { body } = await list('?page=2&page_size=2');
    expect(names(body.data)).toEqual(['Alpha 100%']);
    expect(body.pagination).toEqual({
      page: 2,
      page_size: 2,
      total_count: 3,
      total_pages: 2,
      has_next: false,
      has_previous: true,
    });
  });

  test('returns ten agents per page by default', async () => {
    expect((await list('?page=1')).body.pagination).toMatchObject({ page_size: 10, has_next: false });
  });

  test.each([
    ['?search=alpha', ['Alpha 100%']],
    ['?search=GAM', ['Gamma']],
    ['?search=%25', ['Alpha 100%']],
    ['?search=_', ['Beta_x']],
    ['?search=beta-x', ['Beta_x']],
    ['?search=', ['Gamma', 'Beta_x', 'Alpha 100%']],
    ['?published_only=true', ['Beta_x', 'Alpha 100%']],
    ['?published_only=false', ['Gamma', 'Beta_x', 'Alpha 100%']],
  ])('filters by %s', async (query, expected) => {
    expect(names((await list(query)).body)).toEqual(expected);
  });

  test.each([
    'page=0',
    'page=',
    'page=1.0',
    'page_size=201&page=1',
    'published_only=maybe',
    'search=a&search=b',
  ])('rejects ?%s', async (query) => {
    const { status, body } = await list(`?${query}`);
    expect([status, body.detail[0].loc[0]]).toEqual([422, 'query']);
  });

  test("returns 422 for a search text that can't be stored", async () => {
    expect((await list('?search=%00')).status).toBe(422);
  });
});

describe('GET /api/agent/{agent_id}', () => {
  test("returns the same 404 for another organization's, an archived and an unknown agent", async () => {
    const id = await newAgent(api, { name: 'Mine' });
    const theirs = await api.ask(`/api/agent/${id}`, { as: api.stranger });
    await api.db('agents').where({ id }).update({ archived: true });
    const archived = await api.ask(`/api/agent/${id}`);
    const unknown = await api.ask(`/api/agent/${randomUUID()}`);
    expect(unknown.status).toBe(404);
    expect(unknown.body).toEqual({ detail: { code: 'AGENT_NOT_FOUND', message: expect.any(String) } });
    expect([theirs.text, archived.text]).toEqual([unknown.text, unknown.text]);
  });

  test('returns 422 for a name in the path instead of a UUID', async () => {
    const { status, body } = await api.ask('/api/agent/mine');
    expect([status, body.detail[0].loc]).toEqual([422, ['path', 'agent_id']]);
  });
});
