import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { httpDndRegistry } from '../../activities/dialling/do-not-disturb/http-registry';
import { RegistryUnavailable } from '../../activities/dialling/do-not-disturb/registry-check';

const NUMBER = '+919876543210';

let answer: (response: http.ServerResponse) => void;
let asked: {
  method?: string | undefined;
  path?: string | undefined;
  body: string;
  headers: http.IncomingHttpHeaders;
}[];
let connections: number;
/** Holds only this test's connections, because connections of an earlier test can close late. */
let open: Set<object>;
const server = http.createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    asked.push({ method: request.method, path: request.url, body, headers: request.headers });
    answer(response);
  });
});
server.on('connection', (socket) => {
  const connected = open;
  connections++;
  connected.add(socket);
  socket.on('close', () => connected.delete(socket));
});
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/look-up?of=numbers`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  asked = [];
  connections = 0;
  open = new Set();
});

const registry = (options: { token?: string | null; timeoutMs?: number } = {}) =>
  httpDndRegistry({ url, token: 'a token', timeoutMs: 10_000, ...options });
const answers = (status: number, body: string | Buffer = '', headers: http.OutgoingHttpHeaders = {}) => {
  answer = (response) => response.writeHead(status, headers).end(body);
};
const failureOf = async (promise: Promise<unknown>): Promise<RegistryUnavailable> => {
  const error: unknown = await promise.catch((cause: unknown) => cause);
  if (!(error instanceof RegistryUnavailable))
    throw new Error('the request did not fail as unavailable', { cause: error });
  return error;
};

test.each([true, false])(
  'accepts a response with `listed: %s`, with or without other fields',
  async (listed) => {
    answers(200, JSON.stringify({ listed }));
    expect(await registry().isListed(NUMBER)).toBe(listed);
    answers(200, JSON.stringify({ listed, since: '2020-01-01', source: {} }));
    expect(await registry().isListed(NUMBER)).toBe(listed);
  },
);

test('sends the number only in the body, and the token in a header', async () => {
  answers(200, '{"listed":false}');
  await registry().isListed(NUMBER);
  expect(asked).toEqual([
    {
      method: 'POST',
      path: '/look-up?of=numbers',
      body: JSON.stringify({ number: NUMBER }),
      headers: expect.objectContaining({
        authorization: 'Bearer a token',
        'content-type': 'application/json',
      }),
    },
  ]);
});

test('sends no Authorization header without a token', async () => {
  answers(200, '{"listed":false}');
  await registry({ token: null }).isListed(NUMBER);
  expect(asked[0]?.headers).not.toHaveProperty('authorization');
});

test('reuses one connection for sequential requests', async () => {
  answers(200, '{"listed":false}');
  const kept = registry();
  for (let n = 0; n < 5; n++) await kept.isListed(NUMBER);
  expect({ questions: asked.length, connections }).toEqual({ questions: 5, connections: 1 });
});

test('retries when a keep-alive connection breaks off', async () => {
  answers(200, '{"listed":true}');
  const kept = registry();
  await kept.isListed(NUMBER);
  answer = (response) => {
    answers(200, '{"listed":true}');
    response.socket?.destroy();
  };
  expect(await kept.isListed(NUMBER)).toBe(true);
  expect(asked).toHaveLength(3);
});

test('reports the registry as unavailable after two broken connections', async () => {
  answer = (response) => response.socket?.destroy();
  expect((await failureOf(registry().isListed(NUMBER))).message).toBe('ECONNRESET');
  expect(asked).toHaveLength(2);
});

test.each<[string, number, string | Buffer, http.OutgoingHttpHeaders, string]>([
  ['500', 500, '{"listed":false}', {}, 'status 500'],
  ['401', 401, '{"listed":false}', {}, 'status 401'],
  ['404', 404, '', {}, 'status 404'],
  ['201', 201, '{"listed":false}', {}, 'status 201'],
  ['204', 204, '', {}, 'status 204'],
  ['an empty response', 200, '', {}, 'the answer is not JSON'],
  ['a page', 200, '<html>', {}, 'the answer is not JSON'],
  ['half a response', 200, '{"listed":fal', {}, 'the answer is not JSON'],
  [
    'a compressed response',
    200,
    gzipSync('{"listed":false}'),
    { 'content-encoding': 'gzip' },
    'the answer is not JSON',
  ],
  ['a list', 200, '[{"listed":false}]', {}, 'the answer does not say whether the number is listed'],
  ['a bare word', 200, 'false', {}, 'the answer does not say whether the number is listed'],
  ['null', 200, 'null', {}, 'the answer does not say whether the number is listed'],
  ['text', 200, '{"listed":"false"}', {}, 'the answer does not say whether the number is listed'],
  ['a number', 200, '{"listed":0}', {}, 'the answer does not say whether the number is listed'],
  ['another name', 200, '{"Listed":false}', {}, 'the answer does not say whether the number is listed'],
  [
    'an inherited name',
    200,
    '{"__proto__":{"listed":false}}',
    {},
    'the answer does not say whether the number is listed',
  ],
])(
  'reports the registry as unavailable after %s, without a retry',
  async (_what, status, body, headers, why) => {
    answers(status, body, headers);
    expect((await failureOf(registry().isListed(NUMBER))).message).toBe(why);
    expect(asked).toHaveLength(1);
  },
);

test.each([301, 302, 307, 308])("doesn't follow a redirect with status %d", async (status) => {
  answers(status, '', { location: '/elsewhere' });
  await failureOf(registry().isListed(NUMBER));
  expect(asked.map(({ path }) => path)).toEqual(['/look-up?of=numbers']);
});

const untilClosed = async () => {
  while (open.size > 0) await new Promise(setImmediate);
};

test('closes the connection instead of reading a rejection to the end', async () => {
  answer = (response) => response.writeHead(500).write('{');
  await failureOf(registry({ timeoutMs: 300_000 }).isListed(NUMBER));
  await untilClosed();
});

test('cuts off an endless response and closes its connection', async () => {
  answer = (response) => {
    response.writeHead(200);
    const more = () => {
      while (!response.destroyed && response.write('{'.repeat(16_384)));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  };
  expect((await failureOf(registry().isListed(NUMBER))).message).toBe('max-size');
  await untilClosed();
});

test.each<[string, (response: http.ServerResponse) => void]>([
  ['never answers', () => undefined],
  ['never finishes its response', (response) => response.writeHead(200).write('{"listed":')],
])('reports the registry as unavailable if it %s, and closes the connection', async (_what, course) => {
  answer = course;
  expect((await failureOf(registry({ timeoutMs: 100 }).isListed(NUMBER))).message).toBe(
    'no answer within 100 ms',
  );
  await untilClosed();
});

test('reports the registry as unavailable when no server is listening, without revealing number or address', async () => {
  const elsewhere = httpDndRegistry({
    url: 'http://user:secret@127.0.0.1:1/',
    token: 'a token',
    timeoutMs: 10_000,
  });
  const failure = await failureOf(elsewhere.isListed(NUMBER));
  expect(failure.message).toBe('ECONNREFUSED');
  expect(`${failure.message}${failure.stack}${String(failure.cause)}`).not.toMatch(
    /9876543210|secret|127\.0\.0\.1|a token/,
  );
});
