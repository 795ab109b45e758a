/**
 * Bodies of an allowed size with too many or too long values. Each is rejected with a short response and
 * changes nothing.
 */
import { MAX_FAULTS } from '../../api/http/errors/api-error';
import { valueAt } from '../../domain/json';
import { campaignForm, countOf, newAgent, newCampaign, withFile } from './support/rows';
import { openTestApi, type Answer, type Asked, type TestApi } from './support/test-api';

let api: TestApi;
let agentId: string;
let campaignId: string;

beforeAll(async () => {
  api = await openTestApi();
  agentId = await newAgent(api);
  campaignId = await newCampaign(api);
});
afterAll(() => api.close());

const repeated = (item: string, count: number) => `[${Array<string>(count).fill(item).join(',')}]`;
const keyed = (count: number, value = '0', prefix = 'k') =>
  `{${Array.from({ length: count }, (_none, at) => `"${prefix}${at}":${value}`).join(',')}}`;
const written = (method: string, body: string): Asked => ({
  method,
  body,
  headers: { 'Content-Type': 'application/json' },
});
const patch = (section: string, body: string) =>
  api.ask(`/api/agent/${agentId}/${section}`, written('PATCH', body));
const dispatch = (fields: string) =>
  api.ask(
    '/api/trigger-call/',
    written('POST', `{"agent_id":"${agentId}","contact_number":"+919876543210","name":"Asha",${fields}}`),
  );
const typesOf = ({ body }: Answer): string[] => body.detail.map(({ type }: { type: string }) => type);

const OUTBOUND = (list: string) => `{"deployment":{"phone":{"call_type":{"Outbound":${list}}}}}`;
const FACTS = (list: string) => `{"extraction":{"data_collection":{"data_points":${list}}}}`;
const RULES = (list: string) => `{"know_how":{"guardrails":{"custom_rules":${list}}}}`;

describe('PATCH /api/agent/{agent_id}/{section}', () => {
  test.each<[string, string, () => string, string]>([
    ['deployment', '60,000 numbers', () => OUTBOUND(repeated('"+919876543210"', 60_000)), 'values.max'],
    ['deployment', '2,001 numbers', () => OUTBOUND(repeated('"+919876543210"', 2_001)), 'array.max'],
    [
      'analysis',
      '86,000 dispositions',
      () => `{"evaluations":{"dispositions":{"prompt_based":${repeated('{}', 86_000)}}}}`,
      'values.max',
    ],
    ['analysis', '501 facts', () => FACTS(repeated('{}', 501)), 'array.max'],
    ['training', '501 rules', () => RULES(repeated('{}', 501)), 'array.max'],
    [
      'training',
      'rules of 60,000 triggers',
      () => RULES(repeated('{"triggers":[0,0,0,0,0]}', 10_000)),
      'values.max',
    ],
    ['training', '6,001 questions', () => `{"know_how":{"faq":${keyed(6_001, '"a"')}}}`, 'object.max'],
    ['persona', '60,000 keys of metadata', () => `{"metadata":${keyed(60_000)}}`, 'values.max'],
    ['persona', '1,001 keys of metadata', () => `{"metadata":${keyed(1_001)}}`, 'object.max'],
    ['persona', 'a mebibyte of empty lists', () => `{"own":${repeated('[]', 340_000)}}`, 'values.max'],
    [
      'persona',
      'a mebibyte of nesting',
      () => `{"own":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
      'values.max',
    ],
    ['persona', '33 levels', () => `{"own":${'['.repeat(40)}${']'.repeat(40)}}`, 'too_deep'],
    [
      'persona',
      'a long prompt',
      () => JSON.stringify({ identity: { system_prompt: 'x'.repeat(200_001) } }),
      'string.max',
    ],
    ['persona', 'a long key', () => JSON.stringify({ ['k'.repeat(2_000)]: 1 }), 'key.max'],
    [
      'persona',
      '501 secrets',
      () => `{"actions":{"a":{"headers":${keyed(501, '"x"', 'token-')}}}}`,
      'config.too_large',
    ],
    [
      'deployment',
      'more than 64 KiB',
      () => `{"deployment":{"note":"${'x'.repeat(66_000)}"}}`,
      'config.too_large',
    ],
  ])('rejects %s with %s in a single fault', async (section, _what, body, type) => {
    const before = await api.db('agents').where({ id: agentId }).first();
    const answer = await patch(section, body());
    expect([answer.status, typesOf(answer)]).toEqual([422, [type]]);
    expect(answer.text.length).toBeLessThan(1_000);
    expect(await api.db('agents').where({ id: agentId }).first()).toEqual(before);
  });

  test('names at most twenty faults, and the last one says that there are more', async () => {
    for (const [section, body] of [
      ['deployment', OUTBOUND(repeated('"x"', 2_000))],
      ['analysis', FACTS(repeated('{}', 500))],
      ['training', RULES(repeated('{"triggers":[0,0,0,0]}', 500))],
      ['persona', `{"own":${repeated('{"constructor":1}', 500)}}`],
    ] as const) {
      const answer = await patch(section, body);
      expect([answer.status, answer.body.detail.length]).toEqual([422, MAX_FAULTS]);
      expect(answer.body.detail.at(-1)).toEqual({
        loc: ['body'],
        msg: 'has more errors; only the first 19 are listed',
        type: 'faults.more',
      });
    }
  });

  test('lets a map grow by merges up to its maximum', async () => {
    const faq = (from: number, count: number) => `{"know_how":{"faq":${keyed(count, '"a"', `q${from}-`)}}}`;
    expect((await patch('training', faq(0, 3_000))).status).toBe(200);
    expect((await patch('training', faq(1, 3_000))).status).toBe(200);
    const answer = await patch('training', faq(2, 1));
    expect([answer.status, answer.body.detail]).toEqual([
      422,
      [{ loc: ['body', 'know_how', 'faq'], msg: 'must have at most 6000 keys', type: 'object.max' }],
    ]);
  });
});

describe('POST /api/create-agent', () => {
  const create = (config: string) =>
    api.ask('/api/create-agent', written('POST', `{"agent_display_name":"A","config":${config}}`));

  test.each([
    ['60,000 unknown sections', () => keyed(60_000)],
    ['19,000 unknown sections', () => keyed(19_000)],
    ['a section beyond its maximum', () => `{"analysis":${FACTS(repeated('{}', 501))}}`],
    [
      'three sections full of faults',
      () => `{"analysis":${FACTS(repeated('{}', 500))},"training":${RULES(repeated('0', 500))}}`,
    ],
  ])('rejects %s with at most twenty faults', async (_what, config) => {
    const agents = await countOf(api, 'agents');
    const answer = await create(config());
    expect(answer.status).toBe(422);
    expect(answer.body.detail.length).toBeLessThanOrEqual(MAX_FAULTS);
    expect(await countOf(api, 'agents')).toBe(agents);
  });
});

describe('POST /api/trigger-call/', () => {
  test('accepts metadata of 100 keys and of 16 KiB', async () => {
    expect((await dispatch(`"metadata":${keyed(100)}`)).status).toBe(200);
    const text = 'x'.repeat(16 * 1024 - '{"note":""}'.length);
    expect((await dispatch(`"metadata":{"note":"${text}"}`)).status).toBe(200);
    const answer = await dispatch(`"metadata":{"note":"${text}x"}`);
    expect([answer.status, answer.body.error]).toEqual([422, 'VALIDATION_ERROR']);
    expect(answer.body.detail).toEqual([
      { loc: ['body', 'metadata'], msg: 'must be at most 16384 bytes as JSON', type: 'object.bytes' },
    ]);
  });

  test.each([
    ['101 keys of metadata', () => `"metadata":${keyed(101)}`],
    ['900 KiB of metadata', () => `"metadata":{"note":"${'x'.repeat(900 * 1024)}"}`],
    ['60,000 keys of metadata', () => `"metadata":${keyed(60_000)}`],
    ['16 KiB of metadata in lists', () => `"metadata":{"a":${repeated('[]', 6_000)}}`],
    ['modify_agent beyond a maximum', () => `"modify_agent":{"analysis":${FACTS(repeated('{}', 501))}}`],
    ['modify_agent with 60,000 facts', () => `"modify_agent":{"analysis":${FACTS(repeated('{}', 60_000))}}`],
    ['101 fields', () => keyed(101).slice(1, -1)],
    ['a voice of 300 characters', () => `"voice":"${'x'.repeat(300)}"`],
  ])('rejects %s and places no call', async (_what, fields) => {
    const calls = await countOf(api, 'calls');
    const answer = await dispatch(fields());
    expect([answer.status, answer.body.error]).toEqual([422, 'VALIDATION_ERROR']);
    expect(answer.text.length).toBeLessThan(5_000);
    expect(await countOf(api, 'calls')).toBe(calls);
  });
});

describe('PUT /api/campaigns/{campaign_id}', () => {
  const change = (asked: Asked) => api.ask(`/api/campaigns/${campaignId}`, { method: 'PUT', ...asked });
  const form = (body: string): Asked => ({
    body,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });

  test.each([
    ['notification_emails', 'a@b.co,'],
    ['days_of_week', 'monday,'],
    ['campaign_name', 'x'],
    ['campaign_webhook_url', 'https://example.com/'],
    ['start_time', '0'],
  ])('rejects a %s of a mebibyte', async (name, part) => {
    const text = part.repeat(Math.floor(1_000_000 / part.length));
    for (const asked of [{ json: { [name]: text } }, form(`${name}=${text}`)]) {
      const answer = await change(asked);
      expect([answer.status, answer.body.detail]).toEqual([
        422,
        [
          {
            loc: ['body', name],
            msg: expect.stringMatching(/^must be at most \d+ characters long$/),
            type: 'string.max',
          },
        ],
      ]);
    }
  });

  test('rejects a form of more than a hundred fields', async () => {
    const fields = (count: number) => form(Array.from({ length: count }, (_none, at) => `f${at}=`).join('&'));
    expect((await change(fields(100))).status).toBe(400);
    const answer = await change(fields(101));
    expect([answer.status, answer.body.detail.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  test('rejects JSON of more than a thousand values', async () => {
    const answer = await change({ json: { campaign_name: 'A', own: Array<number>(1_000).fill(0) } });
    expect([answer.status, typesOf(answer)]).toEqual([422, ['values.max']]);
  });

  test('allows a contact no more variables than a dispatch', async () => {
    const campaigns = await countOf(api, 'campaigns');
    const file = `name,phone_number,note\nAsha,+919876543210,x\nRavi,+919876543211,${'x'.repeat(17_000)}\n`;
    const { status, body } = await api.ask('/api/campaigns/create', {
      body: withFile(campaignForm(agentId), file),
    });
    expect([status, body.code, body.details]).toEqual([
      400,
      'INVALID_CONTACT_FILE',
      [{ row: 3, column: null, value: null, reason: 'has more than 16 KiB of variables as JSON' }],
    ]);
    expect(await countOf(api, 'campaigns')).toBe(campaigns);
  });
});

test('rejects a search of more than 255 characters', async () => {
  expect((await api.ask(`/api/agents?search=${'x'.repeat(255)}`)).status).toBe(200);
  expect((await api.ask(`/api/agents?search=${'x'.repeat(256)}`)).status).toBe(422);
});

describe('the OpenAPI document', () => {
  let schemas: unknown;
  beforeAll(async () => (schemas = (await api.ask('/api/openapi.json')).body.components.schemas));
  const at = (path: string) => valueAt(schemas, ...path.split('.').flatMap((key) => key.split('>')));
  const within = (section: string, path: string) =>
    at([section, ...path.split('.').map((key) => (key === '[]' ? 'items' : `properties>${key}`))].join('.'));

  test.each<[string, string, object]>([
    ['Persona', 'identity.system_prompt', { maxLength: 200_000 }],
    ['Persona', 'metadata', { maxProperties: 1_000 }],
    ['Persona', 'actions', { maxProperties: 200 }],
    ['Training', 'know_how.faq', { maxProperties: 6_000 }],
    ['Training', 'know_how.guardrails.custom_rules', { maxItems: 500 }],
    ['Training', 'know_how.guardrails.custom_rules.[].triggers', { maxItems: 500 }],
    ['Training', 'know_how.guardrails.custom_rules.[].triggers.[]', { maxLength: 1_000 }],
    ['Analysis', 'extraction.data_collection.data_points', { maxItems: 500 }],
    ['Analysis', 'extraction.data_collection.data_points.[].values', { maxItems: 500 }],
    ['Analysis', 'evaluations.dispositions.prompt_based.[].list_of_tags', { maxProperties: 500 }],
    ['Experience', 'conversational_experience.filler_words.filler_words_list', { maxItems: 1_000 }],
    ['Deployment', 'phone.call_type.Outbound', { maxItems: 2_000 }],
    ['Dispatch', 'metadata', { maxProperties: 100 }],
    ['CreateCampaign', 'notification_emails', { maxLength: 4_096 }],
  ])('states the maximum of %s: %s', (section, path, maximum) => {
    expect(within(section, path)).toMatchObject(maximum);
  });

  test('states a maximum for every list, map and text of an agent', () => {
    const without: string[] = [];
    const walk = (schema: unknown, path: string): void => {
      const type = valueAt(schema, 'type');
      const is = (name: string) => type === name || (Array.isArray(type) && type.includes(name));
      const has = (name: string) => typeof valueAt(schema, name) === 'number';
      const properties = valueAt(schema, 'properties');
      const isChosen = valueAt(schema, 'enum') !== undefined || valueAt(schema, 'pattern') !== undefined;
      if (is('array') && !has('maxItems')) without.push(path);
      if (is('string') && !isChosen && !has('maxLength')) without.push(path);
      if (is('object') && properties === undefined && !has('maxProperties')) without.push(path);
      for (const [name, one] of Object.entries(properties ?? {})) walk(one, `${path}.${name}`);
      const items = valueAt(schema, 'items');
      if (items !== undefined) walk(items, `${path}[]`);
    };
    for (const name of ['Persona', 'Training', 'Experience', 'Analysis', 'Deployment']) walk(at(name), name);
    expect(without).toEqual([]);
  });
});
