/**
 * Secrets in the clear-text parts of an action are rejected, with advice on how to fix that. Text that only looks like a secret is
 * accepted.
 */
import { exposedSecrets } from '../../api/agents/config/exposed-secrets';
import { newAgent } from './support/rows';
import { openTestApi, type TestApi } from './support/test-api';

const faultsOf = (fields: object): (string | number)[][] =>
  exposedSecrets('persona', { actions: { ask: fields } }, { loc: ['body'], max: 20 }).map(({ loc }) => [
    ...loc,
  ]);
const URL_PLACE = ['body', 'actions', 'ask', 'url'];
const BODY_PLACE = ['body', 'actions', 'ask', 'body'];

test.each([
  'https://user:word@shop.example/orders',
  'https://:word@shop.example/',
  'https://ghp-user@shop.example/',
  'https://shop.example/orders?token=abcdef',
  'https://shop.example/orders?id=1&api_key=abcdef&x=2',
  'https://shop.example/orders?Access-Token=abcdef',
  'https://shop.example/orders?key=abcde1',
  'https://shop.example/#sig=abcde1',
  'https://shop.example/?password=abcdef{{x}}',
  `https://shop.example/hooks/xoxb-${'1'.repeat(12)}`,
  `https://shop.example/sk-${'a1'.repeat(12)}/orders`,
  `https://hooks.slack.com/services/T0A1B2C3D/B0A1B2C3D/${'aB3'.repeat(8)}`,
  `https://discord.com/api/webhooks/123456789012345678/${'aB3-'.repeat(17)}`,
  `https://api.telegram.org/bot123456789:AA${'aB3_'.repeat(8)}/sendMessage`,
])('finds a secret in the URL %s', (url) => {
  expect(faultsOf({ url })).toEqual([URL_PLACE]);
});

test.each([
  'https://shop.example/orders?id=1&page_size=2',
  'https://shop.example/orders?token={{token}}&key={{api_key}}',
  'https://{{user}}:{{password}}@shop.example/',
  'https://shop.example/users/ravi@example.com',
  'https://shop.example/tokens/{{id}}?keyword=loan&author=asha&passenger=2',
  'https://shop.example/orders?token=',
  'https://shop.example/orders?page_token=abcdef1&nextPageToken=abcdef1&continuation-token=abcdef1&syncToken=abcdef1',
  'https://shop.example/orders?key=customer&pass=boarding',
  'https://shop.example/orders?foreign_key=1&auth=yes&token=none',
  'https://shop.example/orders?api_key={{api_key}}1',
  'https://shop.example/task-force-and-other-long-words-of-a-path',
  'https://hooks.slack.com/services/{{slack_hook}}',
  'https://discord.com/api/webhooks/123456789012345678/{{token}}',
  'https://api.telegram.org/bot{{token}}/sendMessage',
  'https://shop.example/bot123456789:{{token}}',
  'no address',
  '',
])('finds no secret in the URL %s', (url) => {
  expect(faultsOf({ url })).toEqual([]);
});

test.each([
  [{ password: 'correct-horse' }, ['password']],
  [{ order: [{ id: 1 }, { accessToken: 'abcdef123' }] }, ['order', 1, 'accessToken']],
  [{ note: `Bearer ${'a1b2'.repeat(8)}` }, ['note']],
  [{ note: 'AKIAIOSFODNN7EXAMPLE' }, ['note']],
  [{ note: `ghp_${'a'.repeat(36)}` }, ['note']],
  [{ note: `vap_${'a'.repeat(32)}` }, ['note']],
  [{ note: `hf_${'a'.repeat(34)}` }, ['note']],
  [{ note: `ya29.${'a0'.repeat(20)}` }, ['note']],
  [{ note: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl' }, ['note']],
  [{ note: '-----BEGIN RSA PRIVATE KEY-----' }, ['note']],
  ['{"client_secret": "abcdef", "id": {{id}}', null],
  ['{"client_secret": "abcdef"}', []],
  ['grant_type=password&password=abcdef', []],
  [`call with sk-${'a1'.repeat(12)}`, []],
])('finds a secret in the body %j', (body, place) => {
  expect(faultsOf({ body })).toEqual(place === null ? [] : [[...BODY_PLACE, ...place]]);
});

test.each([
  [{ password: '{{password}}', token: 'Bearer {{token}}' }],
  [{ token: 'none', secret: true, password: '', max_tokens: '100000' }],
  [{ page_token: 'abcdef1', nextToken: 'abcdef1' }],
  ['page_token=abcdef1&key=customer'],
  [{ key: 'order_status', secret_question: 'mother of pearl', tokenizer: 'o200k_base' }],
  [{ note: 'Bearer certificates and Basic responsibilities are explained.' }],
  [{ password: 'please reset it for them' }],
  ['Please reset the password=yes of this person'],
  ['{{body}}'],
  [null],
  [7],
])('finds no secret in the body %j', (body) => {
  expect(faultsOf({ body })).toEqual([]);
});

test('searches long, deep and adversarial bodies quickly', () => {
  const slow = ['eyJ-'.repeat(50_000), 'Bearer '.repeat(30_000), '{{'.repeat(100_000), '['.repeat(200_000)];
  const deep = `${'[1,'.repeat(50_000)}1${']'.repeat(50_000)}`;
  const begun = process.cpuUsage();
  for (const body of [...slow, deep]) expect(faultsOf({ body, url: body })).toEqual([]);
  expect(process.cpuUsage(begun).user / 1000).toBeLessThan(5_000);
});

describe('an action with an exposed secret', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await openTestApi();
  });
  afterAll(() => api.close());

  const LEAK = 'https://shop.example/orders?api_key=not-to-be-shown';
  const actions = { order: { type: 'http_request', url: LEAK, body: { token: 'not-to-be-shown' } } };
  const faults = (...prefix: string[]) =>
    ['url', 'body'].map((field) => ({
      loc: ['body', ...prefix, 'actions', 'order', field, ...(field === 'body' ? ['token'] : [])],
      msg: expect.stringMatching(/send the secret in a header such as Authorization.*\{\{variable\}\}/),
      type: 'action.secret_exposed',
    }));

  test('rejects the action in create, PATCH and dispatch with its path and a fix, without repeating the secret', async () => {
    const agentId = await newAgent(api);
    const call = {
      agent_id: agentId,
      contact_number: '+919876543210',
      name: 'Asha',
      modify_agent: { persona: { actions } },
    };
    const create = { agent_display_name: 'Leaky', config: { persona: { actions } } };
    const answers = [
      await api.ask('/api/create-agent', { json: create }),
      await api.ask(`/api/agent/${agentId}/persona`, { method: 'PATCH', json: { actions } }),
      await api.ask('/api/trigger-call/', { json: call }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422]);
    const places = [['config', 'persona'], [], ['modify_agent', 'persona']];
    expect(answers.map(({ body }) => body.detail)).toEqual(places.map((place) => faults(...place)));
    for (const { text } of answers) expect(text).not.toContain('not-to-be-shown');
    expect(api.logLines().join('')).not.toContain('not-to-be-shown');
  });

  test('accepts the secret in a header, which responses mask', async () => {
    const headers = { Authorization: 'Bearer not-to-be-shown' };
    const safe = { order: { type: 'http_request', url: 'https://shop.example/orders?id={{id}}', headers } };
    const agentId = await newAgent(api, { config: { persona: { actions: safe } } });
    expect((await api.ask(`/api/agent/${agentId}`)).text).not.toContain('not-to-be-shown');
  });
});
