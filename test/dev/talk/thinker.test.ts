import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chooseThinker } from '../../../dev/talk/thinker';

let server: Server;
let url: string;
let answers: Record<string, unknown>;
let authorizations: (string | undefined)[];

beforeEach(async () => {
  answers = {};
  authorizations = [];
  server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    authorizations.push(request.headers.authorization);
    response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const tags = (...names: string[]) => ({ models: names.map((name) => ({ name, size: 1 })) });

test('uses the model in AGENT_LLM without sending a request', async () => {
  const thinker = await chooseThinker({ AGENT_LLM: 'own-gpu/llama' }, { ollamaUrl: url });
  expect(thinker).toMatchObject({ environment: { AGENT_LLM: 'own-gpu/llama' }, howToImprove: null });
  expect(authorizations).toEqual([]);
});

test('uses the first model at OPENAI_BASE_URL that can converse, with the API key', async () => {
  answers['/v1/models'] = { object: 'list', data: [{ id: 'nomic-embed-text' }, { id: 'qwen3' }] };
  const environment = { OPENAI_BASE_URL: `${url}/v1/`, OPENAI_API_KEY: 'secret' };
  const thinker = await chooseThinker(environment, { ollamaUrl: 'http://127.0.0.1:1' });
  expect(thinker.environment).toEqual({ AGENT_LLM: 'openai/qwen3' });
  expect(thinker.name).toBe(`qwen3 at ${new URL(url).host}`);
  expect(authorizations).toEqual(['Bearer secret']);
});

test('fails with a remedy if OPENAI_BASE_URL lists no model, instead of choosing another', async () => {
  answers['/api/tags'] = tags('llama3.2');
  const choice = chooseThinker({ OPENAI_BASE_URL: `${url}/v1` }, { ollamaUrl: url });
  await expect(choice).rejects.toThrow('set AGENT_LLM=openai/<model>');
});

test('falls back to a running Ollama with a model that can converse', async () => {
  answers['/api/tags'] = tags('mxbai-embed-large:latest', 'llama3.2:3b');
  const thinker = await chooseThinker({}, { ollamaUrl: url });
  expect(thinker).toMatchObject({
    name: 'llama3.2:3b in Ollama',
    environment: { AGENT_LLM: 'ollama/llama3.2:3b', OPENAI_COMPATIBLE_OLLAMA_URL: `${url}/v1` },
    isTimed: false,
  });
});

test.each(['without a model', 'that is not Ollama', 'that does not run'])(
  "uses the agents' own answers with an Ollama %s, and says how to get a model",
  async (which) => {
    if (which === 'without a model') answers['/api/tags'] = tags();
    const ollamaUrl = which === 'that does not run' ? 'http://127.0.0.1:1' : url;
    const thinker = await chooseThinker({}, { ollamaUrl });
    expect(thinker.environment).toEqual({});
    expect(thinker.howToImprove).toMatch(/Ollama.*OPENAI_BASE_URL/);
  },
);
