/** Access over HTTP, and the built process over standard input and output. */
import { request } from 'node:http';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { issueApiKey } from '../../../db/organizations/api-keys';
import { newAgent } from '../support/rows';
import { openTestApi, type TestApi } from '../support/test-api';
import { McpConnection, openMcp, type McpRig } from './connected';

/** Processes start slowly when many start concurrently. */
jest.setTimeout(60_000);

const ENTRY = join(__dirname, '../../../dist/mcp/main.js');
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

let api: TestApi;
let mcp: McpRig;

beforeAll(async () => {
  api = await openTestApi();
  mcp = await openMcp(api.url);
});
afterAll(async () => {
  await mcp.close();
  await api.close();
});

interface Asked {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
}

/** Uses Node's own HTTP client, because it sends any given Host header. */
function ask({
  method = 'POST',
  path = '/mcp',
  headers = {},
}: Asked): Promise<{ status: number; text: string }> {
  const all = {
    Authorization: `Bearer ${api.organization.key}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const asked = request(
      { port: mcp.url.port, host: '127.0.0.1', method, path, headers: all },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    asked.on('error', reject);
    asked.end(method === 'POST' ? PING : undefined);
  });
}

describe('the MCP server over HTTP', () => {
  test('accepts a request with a key', async () => {
    expect(await ask({})).toEqual({ status: 200, text: expect.stringContaining('"result":{}') });
  });

  test.each<[string, Asked, number, RegExp]>([
    ['without a key', { headers: { Authorization: '' } }, 401, /API key is required/],
    ['with an unknown key', { headers: { Authorization: 'Bearer vap_wrong' } }, 401, /INVALID_API_KEY/],
    ['for another host', { headers: { Host: 'rebound.example.com' } }, 403, /Host or Origin/],
    [
      'from a page of another origin',
      { headers: { Origin: 'https://evil.example.com' } },
      403,
      /Host or Origin/,
    ],
    ['at another path', { path: '/' }, 404, /\/mcp/],
    ['that asks for a stream', { method: 'GET' }, 405, /Only POST/],
    ['to end a session', { method: 'DELETE' }, 405, /Only POST/],
  ])('rejects a request %s', async (_what, asked, status, text) => {
    const answer = await ask(asked);
    expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(text)]);
  });

  test('rejects a key without the scope read, because every change first shows what it would do', async () => {
    const { key } = await issueApiKey(api.db, api.organization.id, { scopes: ['operate'] });
    const answer = await ask({ headers: { Authorization: `Bearer ${key}` } });
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('INSUFFICIENT_SCOPE')]);
  });

  test("returns only data of the organization that the request's key belongs to", async () => {
    await newAgent(api, { name: 'Of the first' });
    await newAgent(api, { name: 'Of the stranger', as: api.stranger });
    const connections = await Promise.all([mcp.connect(api.organization.key), mcp.connect(api.stranger.key)]);
    const answers = await Promise.all(connections.map((one) => one.call('list_agents')));
    expect(answers.map(({ answer }) => answer.agents.map((one: any) => one.display_name))).toEqual([
      ['Of the first'],
      ['Of the stranger'],
    ]);
  });

  test('returns 503 while the API is unreachable', async () => {
    const unreachable = await openMcp('http://127.0.0.1:9');
    const { status } = await fetch(unreachable.url, {
      method: 'POST',
      headers: { Authorization: 'Bearer x' },
      body: PING,
    });
    expect(status).toBe(503);
    await unreachable.close();
  });
});

describe('the MCP server over standard input and output', () => {
  const environment = (): Record<string, string> => ({
    PATH: process.env.PATH ?? '',
    VOICE_API_URL: api.url,
    VOICE_API_KEY: api.organization.key,
  });

  function start(env: Record<string, string>, args: string[] = []) {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [ENTRY, ...args],
      env,
      stderr: 'pipe',
    });
    let errors = '';
    transport.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    return { transport, errors: () => errors };
  }

  test('uses the key in its environment and logs to standard error', async () => {
    const name = 'Over standard input';
    await newAgent(api, { name });
    const { transport, errors } = start(environment());
    const connection = await McpConnection.over(transport);
    expect(await connection.tools()).toHaveLength(16);
    const { answer } = await connection.call('list_agents', { search: name });
    expect(answer.agents).toEqual([expect.objectContaining({ display_name: name })]);
    await connection.close();
    expect(errors()).toContain('"tool":"list_agents"');
    expect(errors()).not.toContain(api.organization.key);
  });

  test.each<[string, Record<string, string>, string[], RegExp]>([
    ['no key', { VOICE_API_KEY: '' }, [], /VOICE_API_KEY is required/],
    ['an unknown key', { VOICE_API_KEY: 'vap_wrong' }, [], /INVALID_API_KEY/],
    ['an unknown option', {}, ['--htpp'], /"--htpp" is not an option/],
  ])('exits with a clear message for %s', async (_what, env, args, message) => {
    const { transport, errors } = start({ ...environment(), ...env }, args);
    await expect(McpConnection.over(transport)).rejects.toThrow();
    expect(errors()).toMatch(message);
  });
});
