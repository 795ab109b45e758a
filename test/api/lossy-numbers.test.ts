/** Numbers in JSON bodies that a double can't hold, because an agent must not say an account number with wrong digits. */
import { countOf, newAgent } from './support/rows';
import { openTestApi, type TestApi } from './support/test-api';

let api: TestApi;
let agentId: string;
beforeAll(async () => {
  api = await openTestApi();
  agentId = await newAgent(api);
});
afterAll(() => api.close());

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
