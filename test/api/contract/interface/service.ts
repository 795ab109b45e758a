/** Checks rules of the whole service: paths, keys, limits and pages. */
import { DELIVERY_DELAYS_MS } from '../../../../domain/delivery';
import { newAgent } from '../../support/rows';
import { expectStatus, refusalOf, type Bench } from '../bench';
import type { Check, Coverage } from '../coverage';
import type { Item } from '../items';
import { expectType } from '../types';
import { cell, inlineFields } from '../values';

export function serviceChecks(coverage: Coverage, items: readonly Item[]): void {
  for (const { id } of items.filter(({ kind }) => kind === 'endpoint')) coverage.covers(id, isThere);
  coverage.covers('All paths are relative to {base_url} and begin with /api.', async (bench) => {
    for (const path of Object.keys((await bench.document()).paths)) expect(path).toMatch(/^\/api\//);
  });
  coverage.under('What the service does', SERVICE);
  coverage.under('Endpoints', {
    'All requests carry the X-API-Key header.': needsTheKey,
    'JSON bodies use Content-Type: application/json unless stated.': async ({ api, agentId }) => {
      const body = JSON.stringify({ identity: {} });
      const patch = (type: string) =>
        api.ask(`/api/agent/${agentId}/persona`, {
          method: 'PATCH',
          body,
          headers: { 'Content-Type': type },
        });
      expectStatus(await patch('application/json'), 200);
      expectStatus(await patch('application/json; charset=utf-8'), 200);
      expect(refusalOf(await patch('text/plain'))).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    },
  });
  coverage.under('Authentication', {
    'Every endpoint takes the header X-API-Key carrying <API_KEY>.': needsTheKey,
    'The client (organization) and user are resolved from the key; no client id is sent by the caller.':
      async ({ api }) => {
        const json = { agent_display_name: 'Whose', client_id: api.organization.id };
        const { body } = await api.ask('/api/create-agent', { json, as: api.stranger });
        expect(body.client_id).toBe(api.stranger.id);
        const history = await api.ask(`/api/call-history?client_id=${api.organization.id}`, {
          as: api.stranger,
        });
        expect(history.body.data).toEqual([]);
      },
  });
  coverage.under('Resources and their fields > Pagination objects', PAGINATION);
  coverage.coversRows('Limits', (_bench, item) => {
    expect(cell(item, 'Value')).not.toBe('');
    return isStatedAlike(item, items);
  });
}

/**
 * Checks that the document has the path and method, and that a request without a key gets 401 instead of 404.
 */
const isThere: Check = async (bench, { text }) => {
  const [, method = '', path = ''] = /^(\w+) (\S+)/.exec(text) ?? [];
  const { paths } = await bench.document();
  for (const documented of everySection(path)) {
    expect(Object.keys(paths[documented] ?? {})).toContain(method.toLowerCase());
    const concrete = documented.replace(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000');
    const answer = await bench.api.ask(concrete, { method, as: null });
    expect(refusalOf(answer)).toEqual([401, 'MISSING_API_KEY']);
  }
};

/** The OpenAPI document has an endpoint per section, because each section has a different body. */
const everySection = (path: string): string[] =>
  path.includes('{section}')
    ? ['persona', 'training', 'experience', 'analysis', 'deployment'].map((name) =>
        path.replace('{section}', name),
      )
    : [path];

const needsTheKey: Check = async ({ api, agentId }) => {
  for (const path of ['/api/agents', '/api/campaigns/', '/api/call-history', `/api/agent/${agentId}`]) {
    expect(refusalOf(await api.ask(path, { as: null }))).toEqual([401, 'MISSING_API_KEY']);
    expect(refusalOf(await api.ask(path, { as: { ...api.organization, key: 'wrong' } }))).toEqual([
      401,
      'INVALID_API_KEY',
    ]);
    expectStatus(await api.ask(path, { as: null, headers: { 'x-api-key': api.organization.key } }), 200);
  }
};

const SERVICE: Readonly<Record<string, Check>> = {
  'Each agent has five configuration sections: persona, training, experience, analysis, deployment.': async (
    bench,
    { text },
  ) => {
    const names = (/: (.+)\.$/.exec(text)?.[1] ?? '').split(', ');
    expect(Object.keys((await bench.get(`/api/agent/${bench.agentId}`)).config)).toEqual(names);
  },
  'A client creates an agent, updates its sections, and triggers calls with it.': async (bench) => {
    const id = await newAgent(bench.api, { name: 'Story' });
    expectStatus(await bench.patch('persona', { identity: { system_prompt: 'Hello' } }, id), 200);
    expectStatus(await bench.call({ agent_id: id }), 200);
  },
  'One dispatch endpoint either places an outbound SIP/PSTN call to a contact (medium=telephony, the default) or opens an in-browser real-time session (medium=webrtc) and returns connection credentials.':
    async (bench) => {
      const phone = await bench.call();
      expect(bench.api.temporal.calls.at(-1)?.callId).toBe(phone.body.output.call_id);
      expect((await bench.session()).body.token).toEqual(expect.any(String));
    },
  "A request's client (organization) is resolved from its API key.": async (bench) => {
    const { organization, stranger } = bench.api;
    for (const owner of [organization, stranger]) {
      await newAgent(bench.api, { as: owner });
      const agents = await bench.get('/api/agents', owner);
      expect(new Set(agents.map((agent: any) => agent.client_id))).toEqual(new Set([owner.id]));
    }
  },
};

/** Checks the pagination fields. A type applies to all fields listed before it. */
async function holdsPages(bench: Bench, path: string, text: string): Promise<void> {
  const { pagination } = await bench.get(path);
  const fields = inlineFields(text);
  expect(Object.keys(pagination)).toEqual(fields.map(({ name }) => name));
  for (const [index, { name }] of fields.entries()) {
    expectType(pagination[name], fields.slice(index).find(({ rule }) => rule !== '')?.rule ?? '');
  }
}

const PAGINATION: Readonly<Record<string, Check>> = {
  'Call history and agents: page, page_size, total_count, total_pages (integers), has_next, has_previous (booleans).':
    async (bench, { text }) => {
      await holdsPages(bench, '/api/call-history', text);
      await holdsPages(bench, '/api/agents?page=1', text);
      await newAgent(bench.api);
      const { pagination } = await bench.get('/api/agents?page=1&page_size=1');
      expect([pagination.has_previous, pagination.has_next]).toEqual([false, true]);
      expect(pagination.total_pages).toBe(pagination.total_count);
      const beyond = (await bench.get('/api/agents?page=999&page_size=1')).pagination;
      expect([beyond.has_previous, beyond.has_next]).toEqual([true, false]);
    },
  'Campaigns: page, page_size, total, total_pages (integers).': async (bench, { text }) => {
    await bench.campaign();
    await holdsPages(bench, '/api/campaigns/', text);
  },
};

/** Statements that repeat a limit. Other checks verify the value, so both texts must be the same. */
const STATED: Readonly<Record<string, { at: RegExp; how: (value: string) => string[] }>> = {
  'campaign_name length': { at: /create > campaign_name$/, how: (value) => [`max ${value}`] },
  'campaign concurrency': { at: /create > concurrency$/, how: (value) => [value] },
  max_retries: { at: /create > max_retries$/, how: rangeAndDefault },
  retry_delay_mins: { at: /create > retry_delay_mins$/, how: rangeAndDefault },
  notification_emails: { at: /create > notification_emails$/, how: (value) => [value] },
  'daily window': { at: /create > (start|end)_time$/, how: (value) => [value.replace(' UTC', '')] },
  'contact rows': {
    at: /> Rows$/,
    how: (value) => [`min ${value.split('-')[0]}`, `max ${value.split('-')[1]}`],
  },
  'call-history page_size': { at: /call-history > Query/, how: (value) => [value] },
  'agents page_size': { at: /agents > page_size$/, how: (value) => [value] },
  'campaigns page_size': { at: /GET \/api\/campaigns\/ > Query/, how: (value) => [value] },
  'disposition name, data point name': {
    at: /analysis > (Prompt-based|Data point)/,
    how: (value) => [`max ${value}`],
  },
  'greeting delays': { at: /_speech_delay$/, how: withUnit },
  max_call_duration: { at: /call_settings\.max_call_duration$/, how: withUnit },
  'idle timeouts': { at: /idle_call_\w+_timeout$/, how: withUnit },
  'LLM temperature, top_p': { at: /parameters\.(temperature|top_p)$/, how: (value) => [value] },
  'LLM max_tokens': { at: /parameters\.max_tokens$/, how: (value) => [value] },
  'bg_noise.volume (agent config)': { at: /bg_noise\.volume$/, how: (value) => [value] },
  'bg_noise_volume (webrtc dispatch)': { at: /Body > bg_noise_volume$/, how: (value) => [value] },
  voice_speed: { at: /Body > voice_speed$/, how: (value) => [value] },
  'webhook retries': {
    at: /> After 5 failed attempts/,
    how: (value) => [`${DELIVERY_DELAYS_MS.length} failed ${value.split(' ')[1]}`],
  },
  'webhook timestamp tolerance': { at: /A receiver rejects/, how: (value) => [value] },
};

function rangeAndDefault(value: string): string[] {
  const [, range = '', standard = ''] = /^(\S+) \((.+)\)$/.exec(value) ?? [];
  return [range, standard];
}

/** `0-60 seconds` is written `seconds, 0-60` elsewhere. */
function withUnit(value: string): string[] {
  const [range = '', unit = ''] = value.split(' ');
  return [`${unit}, ${range}`];
}

function isStatedAlike(limit: Item, items: readonly Item[]): void {
  const stated = STATED[cell(limit, 'Limit')];
  if (stated === undefined)
    throw new Error(`no statement is known to repeat the limit "${cell(limit, 'Limit')}"`);
  const places = items.filter(({ id }) => stated.at.test(id));
  expect(places.length).toBeGreaterThan(0);
  for (const { text } of places) {
    for (const words of stated.how(cell(limit, 'Value'))) expect(text).toContain(words);
  }
}
