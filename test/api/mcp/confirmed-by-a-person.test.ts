/** The server asks the person at the MCP client to confirm a change, bypassing the model. */
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { newAgent, countOf } from '../support/rows';
import { openTestApi, type TestApi } from '../support/test-api';
import { openMcp, type McpRig, type Person } from './connected';

const YES: ElicitResult = { action: 'accept', content: { confirm: true } };

let api: TestApi;
let mcp: McpRig;
let args: { agent_id: string; contact_number: string; name: string };

beforeAll(async () => {
  api = await openTestApi();
  mcp = await openMcp(api.url);
  const agent_id = await newAgent(api, { name: 'Clinic' });
  args = { agent_id, contact_number: '+919812345672', name: 'Asha' };
});
afterAll(async () => {
  await mcp.close();
  await api.close();
});

const asking = (person: Person, key = api.organization.key) => mcp.connect(key, person);
const calls = () => countOf(api, 'calls');

test('asks the person to confirm a change, and makes it once they agree', async () => {
  const messages: string[] = [];
  const connection = await asking((message) => (messages.push(message), YES));
  const before = await calls();
  const { answer } = await connection.call('dispatch_call', args);
  expect(answer).toMatchObject({ status: 'done', result: { call_id: expect.stringMatching(/^outbound-/) } });
  expect(answer).not.toHaveProperty('confirmation_token');
  expect(messages).toEqual([expect.stringMatching(/Clinic[^]*Asha, \+919812345672/)]);
  expect(await calls()).toBe(before + 1);
});

test.each<[string, ElicitResult]>([
  ['declines', { action: 'decline' }],
  ['closes the form', { action: 'cancel' }],
  ['sends the form without agreeing', { action: 'accept', content: { confirm: false } }],
])('changes nothing when the person %s', async (_what, result) => {
  const connection = await asking(() => result);
  const before = await calls();
  const { answer } = await connection.call('dispatch_call', args);
  expect([answer.status, answer.confirmation_token, answer.result]).toEqual([
    'declined',
    undefined,
    undefined,
  ]);
  expect(await calls()).toBe(before);
});

test('gives the model no confirmation token and ignores one it sends', async () => {
  let asked = 0;
  const connection = await asking(() => ((asked += 1), { action: 'decline' }));
  const { answer } = await connection.call('dispatch_call', { ...args, confirmation_token: 'x'.repeat(32) });
  expect([answer.status, asked]).toEqual(['declined', 1]);
});

test('asks about each of two concurrent calls, and makes only the confirmed change', async () => {
  const connection = await asking((message) =>
    message.includes('+919812345673') ? YES : { action: 'decline' },
  );
  const numbers = ['+919812345672', '+919812345673'];
  const answers = await Promise.all(
    numbers.map((contact_number) => connection.call('dispatch_call', { ...args, contact_number })),
  );
  expect(answers.map(({ answer }) => answer.status)).toEqual(['declined', 'done']);
});

test("rejects a change from an MCP client that can't show forms, and explains what to do", async () => {
  const connection = await mcp.connect(api.organization.key);
  const before = await calls();
  const { error } = await connection.call('dispatch_call', args);
  expect(error).toMatch(/person must confirm[^]*MCP_MODEL_CONFIRMS=true/);
  const changes = { identity: { system_prompt: 'x' } };
  const change = { agent_id: args.agent_id, section: 'persona', changes };
  expect((await connection.call('change_agent', change)).error).toMatch(/person must confirm/);
  expect(await calls()).toBe(before);
  expect((await connection.call('list_agents')).error).toBeNull();
});

test('accepts a token for a pause from an MCP client without forms, because a pause destroys nothing', async () => {
  const connection = await mcp.connect(api.organization.key);
  const { answer } = await connection.call('pause_all_campaigns');
  const { confirmation_token } = answer;
  expect((await connection.call('pause_all_campaigns', { confirmation_token })).answer.status).toBe('done');
});

test('hides an MCP session from other keys', async () => {
  await asking(() => YES);
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    Authorization: `Bearer ${api.organization.key}`,
  };
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'test', version: '1' },
  };
  const begun = await fetch(mcp.url, {
    method: 'POST',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
  await begun.text();
  const id = begun.headers.get('mcp-session-id') ?? '';
  const body = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' });
  const ping = async (key: string) => {
    const own = { ...headers, 'Mcp-Session-Id': id, Authorization: `Bearer ${key}` };
    const { status } = await fetch(mcp.url, { method: 'POST', headers: own, body });
    return status;
  };
  expect(await Promise.all([ping(api.organization.key), ping(api.stranger.key)])).toEqual([200, 404]);
});
