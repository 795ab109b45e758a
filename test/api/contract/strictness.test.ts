/** Checks that the document and the service accept the same requests, in cases in which a request generator found a difference. */
import { schemaChecker, type CheckValue, type Document } from '../support/openapi-answers';
import { newAgent, newCampaign } from '../support/rows';
import { openTestApi, type Answer, type TestApi } from '../support/test-api';

let api: TestApi;
let document: Document;
let validate: CheckValue;
let ids: Record<string, string>;

beforeAll(async () => {
  api = await openTestApi();
  document = (await api.ask('/api/openapi.json')).body;
  validate = schemaChecker(document);
  ids = { agent_id: await newAgent(api), campaign_id: await newCampaign(api) };
});
afterAll(() => api.close());

const isAllowed = (method: string, path: string, type: string, body: unknown): boolean =>
  validate(['paths', path, method, 'requestBody', 'content', type, 'schema'], body).length === 0;

const concrete = (path: string): string =>
  path.replace(/\{(\w+)\}/g, (_whole, name: string) => ids[name] ?? '00000000-0000-4000-8000-000000000000');

const sent = (method: string, path: string, text: string): Promise<Answer> =>
  api.ask(concrete(path), {
    method: method.toUpperCase(),
    body: text.replaceAll('AGENT', ids.agent_id ?? ''),
    headers: { 'Content-Type': 'application/json' },
  });

const PERSONA = ['patch', '/api/agent/{agent_id}/persona'] as const;
const EXPERIENCE = ['patch', '/api/agent/{agent_id}/experience'] as const;
const CREATE_AGENT = ['post', '/api/create-agent'] as const;
const DISPATCH = ['post', '/api/trigger-call/'] as const;
const UPDATE = ['put', '/api/campaigns/{campaign_id}'] as const;
const CONVERSATIONS = ['put', '/api/agent/{agent_id}/conversations'] as const;
const REDELIVER = ['post', '/api/webhook-deliveries/redeliver'] as const;
const SIGN_IN = ['post', '/api/console/session'] as const;

const CALL = '"agent_id":"AGENT","contact_number":"+919876543210","name":"Asha"';

describe('a JSON body', () => {
  test.each<[readonly [string, string], string]>([
    [UPDATE, '{"campaign_name":"Reminders"}'],
    [UPDATE, '{"per_call_webhook_url":null}'],
    [UPDATE, '{"per_call_webhook_url":"https://example-host.example.com:8443/hook?a=1"}'],
    [UPDATE, '{"notification_emails":"ops@example.com,night+shift@eu.example.com","unknown":{"a":[1]}}'],
    [CONVERSATIONS, '{"conversations":[{"title":"A","turns":[{}]}],"unknown":1}'],
    [REDELIVER, '{"from":"2026-11-02"}'],
    [REDELIVER, '{"to":"2026-11-02T04:00:00+05:30"}'],
    [REDELIVER, '{"to":"2026-11-02 04:00"}'],
    [CREATE_AGENT, '{"agent_display_name":"A","config":null}'],
    [CREATE_AGENT, '{"agent_display_name":"A","config":{"deployment":null,"persona":null}}'],
    [PERSONA, '{"own":{"a key":[{"b":"text"}]}}'],
    [DISPATCH, `{${CALL}}`],
    [DISPATCH, `{${CALL},"medium":"telephony","modify_agent":null,"voice_speed":"of the other medium"}`],
    [DISPATCH, `{${CALL},"modify_agent":{"persona":null}}`],
  ])('accepts JSON for %s when the document allows it: %s', async ([method, path], text) => {
    expect(isAllowed(method, path, 'application/json', JSON.parse(text))).toBe(true);
    const { status, text: answer } = await sent(method, path, text);
    expect([status < 300, status < 300 || answer]).toEqual([true, true]);
  });

  test.each<[readonly [string, string], string, number]>([
    [UPDATE, '{}', 400],
    [UPDATE, '{"unknown":1}', 400],
    [UPDATE, '{"max_retries":11}', 400],
    [UPDATE, '{"concurrency":1000000}', 400],
    [EXPERIENCE, '{"settings":{"end_call":{"hangup_timeout":9007199254740992}}}', 422],
    [UPDATE, '{"days_of_week":""}', 400],
    [UPDATE, '{"notification_emails":"nobody"}', 422],
    [UPDATE, '{"per_call_webhook_url":"example.com"}', 422],
    [UPDATE, '{"campaign_name":" "}', 422],
    [CONVERSATIONS, '{"conversations":[{"title":"A","turns":[]}]}', 422],
    [CONVERSATIONS, '{"conversations":[{"title":"A","turns":[{"expect":{"contain":["x"]}}]}]}', 422],
    [SIGN_IN, '{}', 422],
    [SIGN_IN, '{"api_key":"a","sign_in_token":"b"}', 422],
    [REDELIVER, '{}', 422],
    [REDELIVER, '{"limit":5}', 422],
    [REDELIVER, '{"to":"yesterday"}', 422],
    [PERSONA, '{"own\\u0000":1}', 422],
    [PERSONA, '{"own":[{"deep":"a\\u0000"}]}', 422],
    [PERSONA, '{"metadata":{"__proto__":{}}}', 422],
    [PERSONA, '{"identity":{"system_prompt":"a\\u0000"}}', 422],
    [CREATE_AGENT, '{"agent_display_name":"\\t"}', 422],
    [CREATE_AGENT, '{"agent_display_name":"A","config":{"unknown":{}}}', 422],
    [DISPATCH, '{"agent_id":"AGENT"}', 422],
    [DISPATCH, `{${CALL},"note":"a\\u0000"}`, 422],
    [DISPATCH, `{${CALL},"outbound_number":"sales"}`, 422],
    [DISPATCH, '{"agent_id":"AGENT","name":"Asha","contact_number":"-9876543210"}', 422],
  ])("rejects JSON for %s when the document doesn't allow it: %s", async ([method, path], text, status) => {
    expect(isAllowed(method, path, 'application/json', JSON.parse(text))).toBe(false);
    expect((await sent(method, path, text)).status).toBe(status);
  });
});

test.each([
  '{"own":[[["a\\u0000"]]]}',
  '{"own":[[{"a\\u0000":1}]]}',
  '{"own":{"a":{"b":{"__proto__":1}}}}',
  '{"own":{"a":{"b":{"c":{"constructor":1}}}}}',
])('rejects forbidden content of free JSON deeper than the document describes: %s', async (text) => {
  expect(isAllowed(...PERSONA, 'application/json', JSON.parse(text))).toBe(true);
  expect((await sent(...PERSONA, text)).status).toBe(422);
});

describe('a field of a form', () => {
  const FORM = 'application/x-www-form-urlencoded';
  const update = (name: string, value: string): Promise<Answer> =>
    api.ask(concrete(UPDATE[1]), {
      method: 'PUT',
      body: new URLSearchParams({ [name]: value }).toString(),
      headers: { 'Content-Type': FORM },
    });

  test.each([
    ['campaign_webhook_url', ''],
    ['notification_emails', ''],
    ['campaign_webhook_url', 'http://192.0.2.1:9000/hook'],
    ['days_of_week', 'monday,sunday'],
  ])('accepts the form field %s when the document allows it: %j', async (name, value) => {
    expect(isAllowed(...UPDATE, FORM, { [name]: value })).toBe(true);
    expect((await update(name, value)).status).toBe(200);
  });

  test.each([
    ['campaign_webhook_url', 'null'],
    ['notification_emails', 'null'],
    ['per_call_webhook_url', 'http://192.0.2.09/hook'],
    ['campaign_name', 'a\0'],
    ['days_of_week', 'someday'],
  ])("rejects the form field %s when the document doesn't allow it: %j", async (name, value) => {
    expect(isAllowed(...UPDATE, FORM, { [name]: value })).toBe(false);
    expect((await update(name, value)).status).toBe(422);
  });

  test("allows no null in a form, because a form can't send null", () => {
    for (const name of ['campaign_webhook_url', 'per_call_webhook_url', 'notification_emails']) {
      expect(isAllowed(...UPDATE, FORM, { [name]: null })).toBe(false);
      expect(isAllowed(...UPDATE, 'application/json', { [name]: null })).toBe(true);
    }
  });
});

test('rejects a repeated query parameter, and documents no parameter as a list', async () => {
  for (const [path, methods] of Object.entries<any>(document.paths)) {
    for (const { name, in: place, schema } of methods.get?.parameters ?? []) {
      if (place !== 'query') continue;
      expect([path, name, schema.type === 'array']).toEqual([path, name, false]);
      const { status, body } = await api.ask(`${concrete(path)}?${name}=1&${name}=1`);
      expect([path, name, status, body.detail[0]?.loc]).toEqual([path, name, 422, ['query', name]]);
    }
  }
});
