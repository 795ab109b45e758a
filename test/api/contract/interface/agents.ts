/** Checks agents: the resource, creating, changing and listing. */
import { randomUUID } from 'node:crypto';
import { newAgent } from '../../support/rows';
import { expectRefused, expectStatus, refusalOf } from '../bench';
import type { Check, Coverage } from '../coverage';
import { expectType } from '../types';
import { cell, defaultOf, inlineFields, maxOf, wordsOf } from '../values';

export function agentChecks(coverage: Coverage): void {
  coverage.coversRows('Resources and their fields > Agent', async (bench, item) => {
    const { api, agentId } = bench;
    await newAgent(api, { name: 'Never published' });
    const bare = await bench.get('/api/agents');
    const paged = (await bench.get('/api/agents?page=1&page_size=200')).data;
    for (const agent of [...bare, ...paged, await bench.get(`/api/agent/${agentId}`)]) {
      expectType(agent[cell(item, 'Field')], cell(item, 'Type'));
    }
    await SPECIALS[cell(item, 'Field')]?.(bench, item);
  });
  coverage.under('States and transitions', {
    'Agent statuses: running, stopped, initialized (examples).': async ({ api }, item) => {
      const unready = await newAgent(api, { name: 'Unready' });
      const config = { persona: { identity: { system_prompt: 'You remind.' } } };
      const ready = await newAgent(api, { name: 'Ready', config });
      const gone = await newAgent(api, { name: 'Gone', config });
      await api.ask(`/api/agent/${gone}`, { method: 'DELETE' });
      const rows = await api.db('agents').whereIn('id', [unready, ready, gone]).pluck('status');
      expect(rows.sort()).toEqual(wordsOf(item.text).sort());
    },
  });
  coverage.under('Endpoints > POST /api/create-agent', CREATE);
  coverage.under('Endpoints > PATCH /api/agent/{agent_id}/{section}', CHANGE);
  coverage.under('Endpoints > GET /api/agents', LIST);
}

/** Checks for statements of a row other than its type. */
const SPECIALS: Readonly<Record<string, Check>> = {
  agent_name: async ({ api }) => {
    const id = await newAgent(api, { name: 'Check-up Reminder 2!' });
    const { body } = await api.ask(`/api/agent/${id}`);
    expect([body.agent_name, body.display_name]).toEqual(['check-up-reminder-2', 'Check-up Reminder 2!']);
  },
  client_name: async ({ api }) => {
    const { body } = await api.ask('/api/agents');
    expect([body[0].client_id, body[0].client_name]).toEqual([api.organization.id, api.organization.name]);
  },
};

const create = (bench: Parameters<Check>[0], json: unknown) => bench.api.ask('/api/create-agent', { json });

const CREATE: Readonly<Record<string, Check>> = {
  'Body: agent_display_name (string, required), config (object, default {}; optional subset of sections persona, training, experience, analysis, deployment).':
    async (bench) => {
      for (const wrong of [undefined, 5, '', true, null]) {
        expectRefused(await create(bench, { agent_display_name: wrong }), 'body.agent_display_name');
      }
      for (const wrong of ['x', 5, [], true]) {
        expectRefused(await create(bench, { agent_display_name: 'A', config: wrong }), 'body.config');
      }
      expectRefused(
        await create(bench, { agent_display_name: 'A', config: { other: {} } }),
        'body.config.other',
      );
      const { body } = await create(bench, { agent_display_name: 'A' });
      const { config } = await bench.get(`/api/agent/${body.agent_id}`);
      expect(config).toEqual({ persona: {}, training: {}, experience: {}, analysis: {}, deployment: {} });
      const given = {
        persona: { metadata: { a: 1 } },
        training: { knowledge: { use_rag: true } },
        experience: { settings: { end_call: { enabled: false } } },
        analysis: { extraction: { collect_concerns: { enabled: true } } },
        deployment: { phone: { call_type: { Outbound: ['+918012345678'] } } },
      };
      for (const [name, section] of Object.entries(given)) {
        const { body: made } = await create(bench, { agent_display_name: 'A', config: { [name]: section } });
        expect((await bench.get(`/api/agent/${made.agent_id}`)).config[name]).toEqual(section);
      }
    },
  'The client is taken from the API key.': async ({ api }) => {
    const id = await newAgent(api, { as: api.stranger });
    const { organization_id } = await api.db('agents').where({ id }).first();
    expect(organization_id).toBe(api.stranger.id);
  },
  'Response: success (boolean), agent_id (UUID), agent_name (string, the display name), client_id (UUID).':
    async (bench, { text }) => {
      const { status, body } = await create(bench, { agent_display_name: 'Née Élan' });
      expect([status, body.success, body.agent_name, body.client_id]).toEqual([
        200,
        true,
        'Née Élan',
        bench.api.organization.id,
      ]);
      expect(Object.keys(body)).toEqual(inlineFields(text).map(({ name }) => name));
      for (const { name, rule } of inlineFields(text)) expectType(body[name], rule.split(',')[0] ?? '');
    },
};

const SECTION_NAMES = ['persona', 'training', 'experience', 'analysis', 'deployment'];

const CHANGE: Readonly<Record<string, Check>> = {
  'section is one of persona, training, experience, analysis, deployment.': async (bench, { text }) => {
    expect(wordsOf(text).slice(1)).toEqual(SECTION_NAMES);
    for (const name of ['identity', 'Persona', 'config'])
      expectRefused(await bench.patch(name, {}), 'path.section');
  },
  'Path agent_id: UUID, required.': async (bench) => {
    expectRefused(await bench.patch('persona', {}, 'collections'), 'path.agent_id');
    expect(refusalOf(await bench.patch('persona', {}, randomUUID()))).toEqual([404, 'AGENT_NOT_FOUND']);
  },
  "Body: the section's fields from the tables above (for deployment the body is wrapped in a top-level deployment key).":
    async (bench) => {
      const section = { phone: { call_type: { Outbound: ['+918012345670'] } } };
      expectRefused(await bench.patch('deployment', section), 'body.deployment');
      expectStatus(await bench.patch('deployment', { deployment: section }), 200);
      expectStatus(await bench.patch('persona', { identity: { system_prompt: 'Hello' } }), 200);
      for (const name of SECTION_NAMES) expectRefused(await bench.patch(name, ['x']), 'body');
    },
  'Partial deep-merge.': async (bench) => {
    await bench.patch('training', { know_how: { faq: { a: '1' }, guardrails: { level: 'basic' } } });
    await bench.patch('training', { know_how: { faq: { b: '2' } } });
    const { config } = await bench.get(`/api/agent/${bench.agentId}`);
    expect(config.training.know_how).toMatchObject({
      faq: { a: '1', b: '2' },
      guardrails: { level: 'basic' },
    });
  },
  'Response 200: success (true) and message, which reads <Section> section updated successfully with the section name capitalised (Persona, Training, Experience, Analysis, Deployment).':
    async (bench, { text }) => {
      const titles = wordsOf(/\(`Persona.*/.exec(text)?.[0] ?? '');
      for (const [index, name] of SECTION_NAMES.entries()) {
        const { status, body } = await bench.patch(name, name === 'deployment' ? { deployment: {} } : {});
        expect([status, body]).toEqual([
          200,
          { success: true, message: `${titles[index]} section updated successfully` },
        ]);
      }
    },
};

const LIST: Readonly<Record<string, Check>> = {
  search: async (bench) => {
    await newAgent(bench.api, { name: 'Findable Übername' });
    for (const part of ['findable', 'ÜBERNAME', 'findable-ubername']) {
      const found = await bench.get(`/api/agents?search=${encodeURIComponent(part)}`);
      expect(found.map((agent: any) => agent.display_name)).toEqual(['Findable Übername']);
    }
    expect(await bench.get('/api/agents?search=no-such-agent')).toEqual([]);
  },
  page: async (bench) => {
    const all = await bench.get('/api/agents');
    expect(Array.isArray(all)).toBe(true);
    expect((await bench.get('/api/agents?page=1&page_size=1')).data).toEqual([all[0]]);
    expect((await bench.get('/api/agents?page=2&page_size=1')).data).toEqual([all[1]]);
    for (const wrong of ['0', '-1', '1.5', 'x', '']) {
      expectRefused(await bench.api.ask(`/api/agents?page=${wrong}`), 'query.page');
    }
  },
  page_size: async (bench, item) => {
    const max = maxOf(cell(item, 'Rule'));
    expect((await bench.get('/api/agents?page=1')).pagination.page_size).toBe(defaultOf(cell(item, 'Rule')));
    for (const size of [1, max])
      expectStatus(await bench.api.ask(`/api/agents?page=1&page_size=${size}`), 200);
    for (const size of [0, max + 1, 'x']) {
      expectRefused(await bench.api.ask(`/api/agents?page=1&page_size=${size}`), 'query.page_size');
    }
  },
  published_only: async (bench, item) => {
    const id = await newAgent(bench.api, { name: 'Unpublished' });
    await bench.api.db('agents').where({ id }).update({ published: false });
    const shown = async (query: string) =>
      (await bench.get(`/api/agents${query}`)).some((agent: any) => agent.id === id);
    expect(await shown('')).toBe(!defaultOf(cell(item, 'Rule')));
    expect([await shown('?published_only=false'), await shown('?published_only=true')]).toEqual([
      true,
      false,
    ]);
    expectRefused(await bench.api.ask('/api/agents?published_only=maybe'), 'query.published_only');
  },
  'Response 200: with page, an object {data: [agent], pagination}; without page, an array of agents.': async (
    bench,
  ) => {
    expect(Object.keys(await bench.get('/api/agents?page=1'))).toEqual(['data', 'pagination']);
    expect(Array.isArray(await bench.get('/api/agents?page_size=3'))).toBe(true);
  },
};
