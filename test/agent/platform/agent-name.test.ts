import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deploymentsAgentName } from '../../../agent/platform/platform-api';

const SECRET = 'a-secret-of-the-agents';
const NAMED: [number, object] = [200, { agent_name: 'voice-agent-6f1c8f0e' }];

describe('an agent without a configured name', () => {
  let server: Server;
  let answers: [number, object][];
  const asked: (string | undefined)[] = [];
  const warnings: string[] = [];
  const log = { warn: (_fields: object, sentence: string) => void warnings.push(sentence) };

  beforeEach(async () => {
    asked.length = warnings.length = 0;
    server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      const [status, body] = answers.length > 1 ? answers.shift()! : answers[0]!;
      response.writeHead(status).end(JSON.stringify(body));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => void server.close());

  const name = (): Promise<string> => {
    const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return deploymentsAgentName({ apiUrl, agentSecret: SECRET }, log, 0);
  };

  test("uses the name of the API's deployment", async () => {
    answers = [NAMED];
    await expect(name()).resolves.toBe('voice-agent-6f1c8f0e');
    expect(asked).toEqual([`GET /api/carrier/agent-name Bearer ${SECRET}`]);
  });

  test('waits for an unavailable API, and logs a warning', async () => {
    answers = [[503, {}], [503, {}], NAMED];
    await expect(name()).resolves.toBe('voice-agent-6f1c8f0e');
    expect(asked).toHaveLength(3);
    expect(new Set(warnings)).toEqual(
      new Set(["waiting for the agent's name, because the API isn't responding"]),
    );
  });

  test('does not start when the API has no such endpoint or returns no name', async () => {
    answers = [[404, {}]];
    await expect(name()).rejects.toThrow('LIVEKIT_AGENT_NAME');
    answers = [[200, { agent_name: '' }]];
    await expect(name()).rejects.toThrow('returned no agent name');
  });
});
