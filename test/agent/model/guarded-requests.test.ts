/** Tests requests of actions over real HTTP. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OutgoingRequest } from '../../../agent/model/actions/actions';
import { guardedRequests } from '../../../agent/model/actions/guarded-requests';
import { createGuard } from '../../../agent/network/guarded-agent';

let server: Server;
let base: string;
let taken: IncomingMessage[];
let serve: (request: IncomingMessage, response: ServerResponse, body: string) => void;

beforeEach(async () => {
  taken = [];
  serve = (_request, response) => response.end('fine');
  server = createServer((request, response) => {
    taken.push(request);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => serve(request, response, Buffer.concat(chunks).toString()));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const send = (more: Partial<OutgoingRequest>, allowedHosts = [base], resolve?: () => Promise<string[]>) =>
  guardedRequests(createGuard({ allowedHosts, ...(resolve && { resolve }) }))({
    method: 'GET',
    url: `http://${base}/`,
    headers: {},
    body: null,
    withinMs: 5_000,
    ...more,
  });

test('sends method, headers and body, and returns status and text', async () => {
  serve = (_request, response, body) =>
    response.writeHead(201, { 'content-type': 'text/plain' }).end(`got ${body}`);
  const answer = await send({
    method: 'POST',
    url: `http://${base}/a?b=1`,
    headers: { 'X-Key': 'k', 'Content-Type': 'text/plain' },
    body: 'नमस्ते',
  });
  expect(answer).toEqual({
    kind: 'answered',
    status: 201,
    contentType: 'text/plain',
    body: 'got नमस्ते',
    isCut: false,
  });
  expect(taken[0]).toMatchObject({
    method: 'POST',
    url: '/a?b=1',
    headers: { 'x-key': 'k', 'content-length': '18' },
  });
});

test.each([
  'http://127.0.0.1:{port}/',
  'http://localhost:{port}/',
  'http://2130706433:{port}/',
  'http://0x7f.1:{port}/',
  'http://0177.0.0.1:{port}/',
  'http://[::1]:{port}/',
  'http://[::ffff:127.0.0.1]:{port}/',
  'http://0.0.0.0:{port}/',
  'http://169.254.169.254/latest/meta-data/',
  'http://10.0.0.1/',
  'http://192.168.1.1/',
  'http://[fd00::1]/',
  'https://127.0.0.1/',
])('rejects %s as a private address', async (address) => {
  const url = address.replace('{port}', base.split(':')[1]!);
  expect(await send({ url }, [])).toEqual({ kind: 'failed', why: 'the address is private' });
  expect(taken).toEqual([]);
});

test('rejects a name that resolves to a private address', async () => {
  const answer = await send({ url: `http://rebinding.example:${base.split(':')[1]}/` }, [], () =>
    Promise.resolve(['127.0.0.1']),
  );
  expect(answer).toEqual({ kind: 'failed', why: 'the address is private' });
  expect(taken).toEqual([]);
});

test('does not follow redirects', async () => {
  serve = (_request, response) => response.writeHead(302, { Location: `http://${base}/secret` }).end();
  expect(await send({})).toMatchObject({ kind: 'answered', status: 302, body: '' });
  expect(taken).toHaveLength(1);
});

test.each<[string, (response: ServerResponse, begun: () => void) => void]>([
  ['before an answer', (_response, begun) => begun()],
  ['in the middle of an answer', (response, begun) => response.write('half an ', () => afterArrival(begun))],
])('aborts a request that times out %s', async (_when, answer) => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  try {
    const closed = new Promise<void>((resolve) => {
      serve = (_request, response) => {
        response.on('close', resolve);
        // Advance the clock only now, because a request must have arrived before it can be cancelled.
        answer(response, () => jest.advanceTimersByTime(40));
      };
    });
    expect(await send({ withinMs: 40 })).toEqual({ kind: 'failed', why: 'no answer within 40 ms' });
    await closed;
  } finally {
    jest.useRealTimers();
  }
});

/** By then, the client in this process has read what the server sent. */
const afterArrival = (then: () => void): unknown => setImmediate(() => setImmediate(then));

test('truncates a response that is too long, and closes the connection', async () => {
  const closed = new Promise<void>((resolve) => {
    serve = (_request, response) => {
      response.on('close', resolve);
      const more = (): void => {
        if (!response.destroyed) response.write('नम'.repeat(5_000), () => more());
      };
      more();
    };
  });
  const answer = await send({});
  expect(answer).toMatchObject({ kind: 'answered', status: 200, isCut: true });
  expect(answer.kind === 'answered' && answer.body.length).toBeLessThanOrEqual(64 * 1024);
  expect(answer.kind === 'answered' && answer.body).not.toContain('\ufffd');
  await closed;
});

test('returns failures that contain no part of the request', async () => {
  server.close();
  const gone = await send({
    url: `http://${base}/secret-path?token=hush`,
    headers: { Authorization: 'hush' },
  });
  const odd = await send({ url: `http://${base}/`, headers: { 'X-Name': 'हिंदी' } });
  const noUrl = await send({ url: 'hush' });
  const other = await send({ url: 'file:///etc/passwd' });
  expect([gone, odd, noUrl, other]).toEqual([
    { kind: 'failed', why: 'the server could not be reached' },
    { kind: 'failed', why: 'a header is invalid' },
    { kind: 'failed', why: 'the URL is invalid' },
    { kind: 'failed', why: 'the protocol is not supported' },
  ]);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

test('rejects a body that is larger than 256 KiB', async () => {
  expect(await send({ method: 'POST', body: 'x'.repeat(300_000) })).toEqual({
    kind: 'failed',
    why: 'the request is too long',
  });
  expect(taken).toEqual([]);
});

describe('a connection that the server closes at its second request', () => {
  const sendTwice = async (method: OutgoingRequest['method']) => {
    const used = new WeakSet<object>();
    serve = (request, response) => {
      if (used.has(request.socket)) return void request.socket.destroy();
      used.add(request.socket);
      response.end('fine');
    };
    const post = guardedRequests(createGuard({ allowedHosts: [base] }));
    const url = `http://${base}/`;
    for (const body of [null, null]) {
      expect(await post({ method, url, headers: {}, body, withinMs: 5_000 })).toMatchObject({ status: 200 });
    }
    return taken.length;
  };

  test.each(['GET', 'PUT', 'DELETE'] as const)('retries %s on a new connection', async (method) => {
    expect(await sendTwice(method)).toBe(3);
  });

  test('does not retry after a timeout', async () => {
    const used = new WeakSet<object>();
    serve = (request, response) => {
      if (used.has(request.socket)) return;
      used.add(request.socket);
      response.end('fine');
    };
    const post = guardedRequests(createGuard({ allowedHosts: [base] }));
    const request = { method: 'GET', url: `http://${base}/`, headers: {}, body: null } as const;
    await post({ ...request, withinMs: 5_000 });
    expect(await post({ ...request, withinMs: 50 })).toMatchObject({ kind: 'failed' });
    await new Promise(setImmediate);
    expect(taken).toHaveLength(2);
  });

  test.each(['POST', 'PATCH'] as const)('sends each %s once, on a new connection', async (method) => {
    expect(await sendTwice(method)).toBe(2);
  });
});
