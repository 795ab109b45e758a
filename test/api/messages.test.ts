import { newCampaign, countOf, newAgent } from './support/rows';
import { openTestApi, type TestApi } from './support/test-api';
import { countJsonValues, lossyNumbers, scanJson } from '../../api/http/input/json-values';

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const faultOf = (answer: { status: number; body: any }) => {
  expect(answer.status).toBe(422);
  const { msg, type } = answer.body.detail[0];
  return [msg, type];
};

test.each([
  ['page=x', 'must be an integer', 'number.integer'],
  ['page=0', 'must be at least 1', 'number.min'],
  ['page_size=201', 'must be at most 200', 'number.max'],
  ['agent_id=17', 'must be a UUID', 'string.guid'],
  ['from=yesterday', 'must be a date or an ISO 8601 timestamp', 'string.isoDate'],
])('rejects call-history?%s with the message "%s" and the type %s', async (query, message, type) => {
  expect(faultOf(await api.ask(`/api/call-history?${query}`))).toEqual([message, type]);
});

const temperature = (value: number) => ({
  persona: { senses_capabilities: { brain: { llm: { primary: { parameters: { temperature: value } } } } } },
});

test.each([
  [{ agent_display_name: ' ' }, 'must not be blank', 'string.pattern.base'],
  [{ agent_display_name: 'A', config: { persona: 'kind' } }, 'must be an object', 'object.base'],
  [{ agent_display_name: 'x'.repeat(256) }, 'must be at most 255 characters long', 'string.max'],
  [{ agent_display_name: 'A', config: temperature(2) }, 'must be at most 1', 'number.max'],
  [{ agent_display_name: 'A', config: temperature(-1) }, 'must be at least 0', 'number.min'],
])('uses the same messages for a body as for a query (%#)', async (json, message, type) => {
  expect(faultOf(await api.ask('/api/create-agent', { json }))).toEqual([message, type]);
});

test.each([
  [{ campaign_name: '' }, 'must not be empty', 'string.empty'],
  [{ campaign_name: 5 }, 'must be a string', 'string.base'],
  [{ start_time: '25:00' }, 'must be a time in the form HH:MM', 'string.time'],
  [{ from_date: '2026-02-30' }, 'must be a date in the form YYYY-MM-DD', 'string.date'],
  [
    { days_of_week: 'Monday' },
    'must be a comma-separated list of lowercase weekday names',
    'string.weekdays',
  ],
  [{ notification_emails: 'nobody' }, 'must be a comma-separated list of e-mail addresses', 'string.email'],
  [{ campaign_webhook_url: 'ftp://x' }, 'must be an http or https URL', 'string.uri'],
])('names the rule that a campaign field breaks (%#)', async (json, message, type) => {
  const id = await newCampaign(api);
  expect(faultOf(await api.ask(`/api/campaigns/${id}`, { method: 'PUT', json }))).toEqual([message, type]);
});

/** Numbers in JSON bodies that a double can't hold, because an agent must not say an account number with wrong digits. */
describe("a number that a double can't hold", () => {
  let agentId: string;
  beforeAll(async () => {
    agentId = await newAgent(api);
  });

  const sent = (path: string, method: string, json: string) =>
    api.ask(path, { method, body: json, headers: { 'Content-Type': 'application/json' } });
  const dispatch = (fields: string): string =>
    `{"agent_id":"${agentId}","contact_number":"+919876543210","name":"Asha",${fields}}`;

  test.each<[string, string, string, () => string, (string | number)[]]>([
    [
      'the metadata of a dispatch',
      'POST',
      '/api/trigger-call/',
      () => dispatch('"metadata":{"account":12345678901234567}'),
      ['metadata', 'account'],
    ],
    [
      'modify_agent of a dispatch',
      'POST',
      '/api/trigger-call/',
      () => dispatch('"modify_agent":{"persona":{"metadata":{"rates":[0,1e400]}}}'),
      ['modify_agent', 'persona', 'metadata', 'rates', 1],
    ],
    [
      'the configuration of a new agent',
      'POST',
      '/api/create-agent',
      () => '{"agent_display_name":"A","config":{"persona":{"metadata":{"account":9007199254740993}}}}',
      ['config', 'persona', 'metadata', 'account'],
    ],
    [
      'the persona of an agent',
      'PATCH',
      '/api/agent/{id}/persona',
      () => '{"metadata":{"rate":0.12345678901234567890}}',
      ['metadata', 'rate'],
    ],
    [
      'a field of a campaign',
      'PUT',
      '/api/campaigns/00000000-0000-4000-8000-000000000000',
      () => '{"max_retries":1e-400}',
      ['max_retries'],
    ],
  ])(
    'rejects in %s a number that would lose digits, with its path',
    async (_what, method, path, json, place) => {
      const before = await countOf(api, 'calls');
      const { status, text } = await sent(path.replace('{id}', agentId), method, json());
      expect(status).toBe(422);
      expect(text).toContain('send it as a string');
      for (const step of place) expect(text).toContain(String(step));
      expect(await countOf(api, 'calls')).toBe(before);
    },
  );

  test('accepts numbers that keep their digits', async () => {
    const { status } = await sent(
      `/api/agent/${agentId}/persona`,
      'PATCH',
      '{"metadata":{"a":-0,"b":1.0,"c":1e2,"d":0.1,"e":9007199254740991,"f":"12345678901234567"}}',
    );
    expect(status).toBe(200);
  });
});

describe('the limit of values in a JSON body', () => {
  const counted = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Object.values(value).reduce((sum: number, inner) => sum + 1 + counted(inner), 0)
      : 0;

  test.each([
    '{}',
    '[]',
    '5',
    '""',
    '[ ]',
    '[1]',
    '[[],[]]',
    '[{},{},{}]',
    '{"a":1}',
    '{ "a" : [ 1 , 2 , { "b" : null } ] , "c" : { } }',
    '{"a,b":"[1,2,{","c\\"d,":"\\\\","e":"\\\\\\"],["}',
    '[\n\t1,\r\n [\n]\n]',
    '[true,false,null,-1.5e3,"x"]',
    '{"न":"🙏,[","":{"":""}}',
  ])('counts the values of JSON text as a parser would: %s', (text) => {
    expect(countJsonValues(text)).toBe(counted(JSON.parse(text)));
  });

  test('terminates on text that is not JSON', () => {
    for (const text of ['', '"', '"\\', '[', '{"a', ',,,', ']]]', '["a" "b"']) {
      expect(countJsonValues(text)).toBeLessThanOrEqual(text.length);
    }
  });

  test.each([
    '0',
    '-0',
    '0.0',
    '0e999',
    '1.0',
    '1e2',
    '100.00',
    '1.50E+3',
    '0.1',
    '0.30000000000000004',
    '0.0000001',
    '9007199254740991',
    '-9007199254740991',
    '9007199254740992',
    '123456789012345',
    '1234567890.12345',
    '1e21',
    '12345678901234567000',
    '1.7976931348623157e308',
    '5e-324',
    '0.00000000000000000000000000000000001',
  ])('accepts the number %s, which keeps its digits', (written) => {
    expect(scanJson(`[${written}]`, 10)).toEqual({ values: 1, losesDigits: false });
    expect(lossyNumbers(`[${written}]`, 10)).toEqual([]);
  });

  test.each([
    '12345678901234567',
    '-12345678901234567',
    '9007199254740993',
    '1152921504606846976',
    '12345678901234567.0',
    '0.1234567890123456789',
    '1234567890123.12345',
    '0.1000000000000000055511151231257827',
    '1e400',
    '-1e400',
    '1e-400',
    '1'.repeat(1_000),
  ])('rejects the number %s, which would lose digits', (written) => {
    expect(scanJson(`{"a":${written}}`, 10).losesDigits).toBe(true);
    expect(lossyNumbers(`{"a":${written}}`, 10)).toEqual([['a']]);
  });

  test('returns the path of each number that would lose digits', () => {
    const big = '12345678901234567';
    const text = `{ "a" : 1, "b\\"c" : [ 0, "${big}", { "d" : ${big} }, [ ], ${big}], "e":{"f":{}},"g" : ${big} }`;
    expect(lossyNumbers(text, 10)).toEqual([['b"c', 2, 'd'], ['b"c', 4], ['g']]);
    expect(lossyNumbers(text, 1)).toHaveLength(1);
  });

  test('stops the scan at the maximum number of values', () => {
    expect(scanJson(`[${'1,'.repeat(100_000)}12345678901234567]`, 10)).toEqual({
      values: 11,
      losesDigits: false,
    });
  });
});
