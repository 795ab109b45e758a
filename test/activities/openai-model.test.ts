import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkedAnswer } from '../../activities/analysis/checked-answer';
import { ModelRefused, ModelUnavailable, type ModelMessage } from '../../activities/analysis/model';
import { openAiModel } from '../../activities/analysis/openai-model';
import { startModelStandIn, type ModelStandIn, type Reply } from '../../dev/model-stand-in/server';

const SCHEMA = {
  type: 'object',
  properties: { tag: { type: 'string', enum: ['good', 'bad'] } },
  required: ['tag'],
  additionalProperties: false,
};
const QUESTION: ModelMessage[] = [
  { role: 'system', content: 'Answer in JSON.' },
  { role: 'user', content: 'How was it?' },
];
const GOOD = { text: '{"tag": "good"}' };
const never = new AbortController().signal;
/** Longer than any response in this file takes. */
const ENOUGH_MS = 30_000;

let standIn: ModelStandIn;
beforeAll(async () => {
  standIn = await startModelStandIn();
});
afterAll(() => standIn.close());

let count = 0;
const scripted = (...replies: Reply[]) => {
  const model = `model-${count++}`;
  standIn.script(model, replies);
  return {
    model: openAiModel({ url: standIn.url, key: 'a key', model, timeoutMs: ENOUGH_MS }),
    formats: () => standIn.requests(model).map(({ body }) => (body.response_format as any)?.type),
    requests: () => standIn.requests(model),
  };
};
const asked = (...replies: Reply[]) => scripted(...replies).model.ask(QUESTION, SCHEMA, never);

describe('openAiModel()', () => {
  test('sends the key, and the schema in strict mode', async () => {
    const { model, requests } = scripted(GOOD);
    await expect(model.ask(QUESTION, SCHEMA, never)).resolves.toMatchObject({
      text: GOOD.text,
      isCutOff: false,
    });
    expect(requests()).toMatchObject([
      {
        path: '/v1/chat/completions',
        authorization: 'Bearer a key',
        body: {
          messages: QUESTION,
          response_format: {
            type: 'json_schema',
            json_schema: { name: 'call_analysis', strict: true, schema: SCHEMA },
          },
        },
      },
    ]);
  });

  test('returns the usage of the request', async () => {
    const { tokens } = await asked(GOOD);
    expect(tokens).toMatchObject({ cached: 0 });
    expect(tokens.input).toBeGreaterThan(0);
    expect(tokens.output).toBeGreaterThan(0);
  });

  test('switches to a JSON object and puts the schema into the prompt if the server rejects schemas', async () => {
    const { model, formats, requests } = scripted({ status: 400 }, GOOD);
    await model.ask(QUESTION, SCHEMA, never);
    await model.ask(QUESTION, SCHEMA, never);
    expect(formats()).toEqual(['json_schema', 'json_object', 'json_object']);
    expect(JSON.stringify(requests()[1]?.body.messages)).toContain('additionalProperties');
  });

  test('puts the schema only into the prompt if the server rejects all formats', async () => {
    const { model, formats } = scripted({ status: 422 }, { status: 501 }, GOOD);
    await model.ask(QUESTION, SCHEMA, never);
    expect(formats()).toEqual(['json_schema', 'json_object', undefined]);
  });

  test('sends the schema again with the next request if the server rejects one request in every format', async () => {
    const { model, formats } = scripted({ status: 400 }, { status: 400 }, { status: 400 }, GOOD);
    await expect(model.ask(QUESTION, SCHEMA, never)).rejects.toThrow(ModelRefused);
    await model.ask(QUESTION, SCHEMA, never);
    expect(formats().at(-1)).toBe('json_schema');
  });

  test.each([500, 404, 405, 422, 501])(
    'switches to a JSON object immediately if the server responds %i to a schema',
    async (status) => {
      const { model, formats } = scripted({ status }, GOOD);
      await model.ask(QUESTION, SCHEMA, never);
      await model.ask(QUESTION, SCHEMA, never);
      expect(formats()).toEqual(['json_schema', 'json_object', 'json_object']);
    },
  );

  test('puts the schema only into the prompt if the server responds 500 to both formats', async () => {
    const { model, formats } = scripted({ status: 500 }, { status: 500 }, GOOD);
    await model.ask(QUESTION, SCHEMA, never);
    await model.ask(QUESTION, SCHEMA, never);
    expect(formats()).toEqual(['json_schema', 'json_object', undefined, undefined]);
  });

  test('requests a JSON object if the server returns an empty answer to a schema', async () => {
    const { model, formats } = scripted({ text: '' }, GOOD);
    await expect(model.ask(QUESTION, SCHEMA, never)).resolves.toMatchObject({ text: GOOD.text });
    expect(formats()).toEqual(['json_schema', 'json_object']);
  });

  test('keeps sending the schema after a 500 if the server accepted it before', async () => {
    const { model, formats } = scripted(GOOD, { status: 500 }, GOOD);
    await model.ask(QUESTION, SCHEMA, never);
    await expect(model.ask(QUESTION, SCHEMA, never)).rejects.toThrow(ModelUnavailable);
    await model.ask(QUESTION, SCHEMA, never);
    expect(formats()).toEqual(['json_schema', 'json_schema', 'json_schema']);
  });

  test('tries each format once before it gives up on a server that is down', async () => {
    const { model, formats } = scripted({ status: 500 });
    await expect(model.ask(QUESTION, SCHEMA, never)).rejects.toThrow(ModelUnavailable);
    expect(formats()).toEqual(['json_schema', 'json_object', undefined]);
  });

  test.each([401, 403, 429, 502, 503, 504])(
    'tries no other format if the server responds %i',
    async (status) => {
      const { model, formats } = scripted({ status });
      await expect(model.ask(QUESTION, SCHEMA, never)).rejects.toThrow();
      expect(formats()).toEqual(['json_schema']);
    },
  );

  test.each([401, 403, 404])('throws a permanent error if the server responds %i', async (status) => {
    await expect(asked({ status })).rejects.toThrow(ModelRefused);
  });

  test.each([408, 429, 500, 503])('throws a retryable error if the server responds %i', async (status) => {
    await expect(asked({ status })).rejects.toThrow(ModelUnavailable);
  });

  test('throws a retryable error if the server is too slow', async () => {
    const { model } = scripted({ ...GOOD, delayMs: 60_000 });
    const hasty = openAiModel({ url: standIn.url, key: null, model: model.name, timeoutMs: 30 });
    await expect(hasty.ask(QUESTION, SCHEMA, never)).rejects.toThrow('no answer within 30 ms');
  });

  test("throws a retryable error without address and key if the server can't be reached", async () => {
    const nowhere = openAiModel({
      url: 'http://127.0.0.1:1/v1',
      key: 'secret',
      model: 'x',
      timeoutMs: ENOUGH_MS,
    });
    const error = await nowhere.ask(QUESTION, SCHEMA, never).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ModelUnavailable);
    expect(String(error)).toBe('ModelUnavailable: ECONNREFUSED');
  });
});

describe('openAiModel() with unusual responses', () => {
  const servers: Server[] = [];
  afterEach(() => servers.splice(0).forEach((server) => server.close()));

  async function answering(status: number, headers: Record<string, string>, body: string) {
    const server = createServer((_request, response) => response.writeHead(status, headers).end(body));
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return openAiModel({ url: `http://127.0.0.1:${port}`, key: 'secret', model: 'x', timeoutMs: ENOUGH_MS });
  }

  test.each([
    ['7', 7_000],
    ['86400', 300_000],
    ['soon', null],
  ])('reads Retry-After %s as a delay of %s ms', async (after, retryAfterMs) => {
    const model = await answering(429, { 'retry-after': after }, '');
    await expect(model.ask(QUESTION, SCHEMA, never)).rejects.toMatchObject({ retryAfterMs });
  });

  test("doesn't follow a redirect, because the key is only meant for that server", async () => {
    const model = await answering(302, { location: standIn.url }, '');
    await expect(model.ask(QUESTION, SCHEMA, never)).rejects.toThrow(ModelUnavailable);
  });

  test.each([
    ['malformed JSON', '<html>', ModelUnavailable],
    ['too large a body', `"${'x'.repeat(2_000_000)}"`, ModelUnavailable],
  ])('throws a retryable error for %s', async (_what, body, error) => {
    const model = await answering(200, {}, body);
    await expect(model.ask(QUESTION, SCHEMA, never)).rejects.toThrow(error);
  });

  test('reports an answer that the server truncated', async () => {
    const choices = [{ message: { content: '{"tag"' }, finish_reason: 'length' }];
    const model = await answering(200, {}, JSON.stringify({ choices }));
    await expect(model.ask(QUESTION, SCHEMA, never)).resolves.toMatchObject({
      isCutOff: true,
      text: '{"tag"',
    });
  });
});

describe('checkedAnswer()', () => {
  const checked = async (...replies: Reply[]) => {
    const { model, requests } = scripted(...replies);
    const { answer, questions } = await checkedAnswer(model, QUESTION, SCHEMA, never);
    return { answer, questions, requests: requests() };
  };

  test.each([
    ['as it is', '{"tag": "good"}'],
    ['in code fences', '```json\n{"tag": "good"}\n```'],
    ['with words around it', 'Here you are: {"tag": "good"} Anything else?'],
    ['after its reasoning', '<think>{"tag": "bad"} no</think>\n{"tag": "good"}'],
    ['after reasoning that lacks its opening tag', 'Is it {"tag": "bad"}? No.</think>\n{"tag": "good"}'],
    ['after other tags', '<Reasoning>{"tag": "bad"}</Reasoning>```json\n{"tag": "good"}\n```'],
    [
      'in the final channel',
      '<|channel|>analysis<|message|>{"tag": "bad"}<|end|><|start|>assistant<|channel|>final<|message|>{"tag": "good"}',
    ],
    ['between other brackets', 'Of {good, bad} I choose {"tag": "good"} {sure} {"note": 1}'],
    ['after a first attempt', '{"tag": "great"} or rather {"tag": "good"}'],
  ])('reads the answer %s', async (_how, text) => {
    await expect(checked({ text })).resolves.toMatchObject({ answer: { tag: 'good' }, questions: 1 });
  });

  test('repeats the question with the faults if the answer breaks the schema', async () => {
    const { answer, questions, requests } = await checked({ text: '{"tag": "great", "rate": 100}' }, GOOD);
    expect({ answer, questions }).toEqual({ answer: { tag: 'good' }, questions: 2 });
    const messages = requests[1]?.body.messages as ModelMessage[];
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(messages[3]?.content).toContain('/tag must be equal to one of the allowed values: ["good","bad"]');
    expect(messages[3]?.content).toContain('additional properties: "rate"');
  });

  test('ignores an answer inside unfinished reasoning', async () => {
    const { questions } = await checked({ text: '<think>Maybe {"tag": "bad"}' }, GOOD);
    expect(questions).toBe(2);
  });

  test('repeats the question if the answer is not an object', async () => {
    const { requests } = await checked({ text: 'It was good.' }, GOOD);
    expect(JSON.stringify(requests[1]?.body.messages)).toContain('it is not a JSON object');
  });

  test('gives up after three answers that break the schema', async () => {
    const { answer, questions, requests } = await checked({ text: '{"tag": "ignore the schema"}' });
    expect({ answer, questions, asked: requests.length }).toEqual({ answer: null, questions: 3, asked: 3 });
  });
});
