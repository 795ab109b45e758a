/** Tests sending to a server on this machine. See `test/activities/webhook-guard.test.ts` for hostile receivers and names. */
import { lookup } from 'node:dns/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { webhookSender, type WebhookSender } from '../../activities/delivering/sender';

let answer: (response: http.ServerResponse) => void;
const received: { body: string; headers: http.IncomingHttpHeaders; method: string | undefined }[] = [];
const server = http.createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    received.push({ body, headers: request.headers, method: request.method });
    answer(response);
  });
});
let port: number;
let guarded: WebhookSender;
let open: WebhookSender;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  guarded = await webhookSender({ allowedHosts: [] });
  open = await webhookSender({ allowedHosts: ['127.0.0.1'] });
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  received.length = 0;
  answer = (response) => response.writeHead(204).end();
});

const post = (sender: WebhookSender, path = '/') => sender.post(`http://127.0.0.1:${port}${path}`, '{}', {});

describe('a private address', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '127.255.255.254',
    '0.0.0.0',
    '0',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '[::ffff:169.254.169.254]',
    '[fd00:ec2::254]',
    '224.0.0.1',
    '255.255.255.255',
    '%31%32%37.0.0.1',
    '１２７.0.0.1',
  ])('rejects an address before sending anything: %s', async (host) => {
    const { statusCode, error } = await guarded.post(`http://${host}:${port}/`, '{}', {});
    expect([statusCode, error]).toEqual([null, 'the address is private']);
    expect(received).toEqual([]);
  });

  test('rejects a connection if a name resolves to a private address', async () => {
    expect((await lookup('localhost')).address).toMatch(/^(127\.|::1$)/);
    expect((await guarded.post(`http://localhost:${port}/`, '{}', {})).error).toBe('the address is private');
    expect((await guarded.post(`https://localhost:${port}/`, '{}', {})).error).toBe('the address is private');
    expect(received).toEqual([]);
  });

  test('sends nothing if the scheme is not http or https', async () => {
    for (const url of ['ftp://example.com/', 'file:///etc/passwd', 'not a url', '']) {
      expect((await guarded.post(url, '{}', {})).error).not.toBeNull();
    }
  });
});

describe('the allow-list', () => {
  const through = async (allowedHosts: string[]) =>
    (await post(await webhookSender({ allowedHosts }))).statusCode === 204;

  test('allows a host on every port or on a single port', async () => {
    expect(await through(['127.0.0.1'])).toBe(true);
    expect(await through([`127.0.0.1:${port}`])).toBe(true);
    expect(await through(['other', `127.0.0.1:${port}`])).toBe(true);
  });

  test('allows only the listed hosts', async () => {
    expect(await through([`127.0.0.1:${port + 1}`])).toBe(false);
    expect(await through(['localhost'])).toBe(false);
    expect(await through(['127.0.0'])).toBe(false);
    expect(await through(['*'])).toBe(false);
    expect(received).toEqual([]);
  });
});

describe('a delivery', () => {
  test('posts the body once with its headers', async () => {
    const result = await open.post(`http://127.0.0.1:${port}/hook`, '{"a":"ü"}', {
      'X-Service-Event-Id': 'e-1',
    });
    expect(result).toMatchObject({ statusCode: 204, error: null });
    expect(received).toEqual([
      {
        method: 'POST',
        body: '{"a":"ü"}',
        headers: expect.objectContaining({
          'content-type': 'application/json',
          'user-agent': 'voice-agent-platform',
          'x-service-event-id': 'e-1',
        }),
      },
    ]);
  });

  test.each([200, 201, 202, 204, 299])('accepts a response with status %d', async (status) => {
    answer = (response) => response.writeHead(status).end();
    expect(await post(open)).toMatchObject({ statusCode: status, error: null });
  });

  test.each([301, 302, 303, 307, 308])('rejects the redirect %d without following it', async (status) => {
    answer = (response) => response.writeHead(status, { location: `http://127.0.0.1:${port}/next` }).end();
    expect(await post(open)).toMatchObject({ statusCode: status, error: `status ${status}` });
    expect(received).toHaveLength(1);
  });

  test.each([400, 404, 410, 429, 500, 503])('rejects a response with status %d', async (status) => {
    answer = (response) => response.writeHead(status).end('x');
    expect(await post(open)).toMatchObject({ statusCode: status, error: `status ${status}` });
  });

  test('fails after five seconds without a response', async () => {
    answer = () => undefined;
    const { statusCode, error, durationMs } = await post(open);
    expect([statusCode, error]).toEqual([null, 'no response within 5000 ms']);
    expect(durationMs).toBeGreaterThanOrEqual(4_900);
  }, 30_000);

  test('reports a refused or cut connection without the address', async () => {
    answer = (response) => response.socket?.destroy();
    expect(await post(open)).toMatchObject({ statusCode: null, error: 'ECONNRESET' });
    const refused = await open.post('http://127.0.0.1:1/secret-path', '{}', {});
    expect(refused).toMatchObject({ statusCode: null, error: 'ECONNREFUSED' });
  });

  describe('a delivery over a kept connection', () => {
    /** Accepts the first request of each connection and passes later ones to the test's handler. */
    const breaking = (later: (response: http.ServerResponse) => void) => {
      const used = new WeakSet<object>();
      answer = (response) => {
        const socket = response.socket ?? {};
        if (used.has(socket)) return later(response);
        used.add(socket);
        response.writeHead(204).end();
      };
    };
    const another = () => webhookSender({ allowedHosts: ['127.0.0.1'] });

    test('resends on a new connection, as part of the same attempt, if the receiver closed the old one', async () => {
      breaking((response) => response.socket?.destroy());
      const sender = await another();
      for (let nth = 0; nth < 4; nth++) {
        expect(await post(sender)).toMatchObject({ statusCode: 204, error: null });
      }
      // The first delivery has no kept connection. Each later one finds a closed connection or the new one of the previous delivery.
      expect(received.length).toBeGreaterThan(4);
    });

    test('fails if the connection breaks after a byte of the response', async () => {
      breaking((response) => {
        response.socket?.write('HTTP/1.1 2');
        response.socket?.end();
      });
      const sender = await another();
      await post(sender);
      const { statusCode, error } = await post(sender);
      expect([statusCode, error === null]).toEqual([null, false]);
      expect(received).toHaveLength(2);
    });

    test("doesn't resend after a timeout", async () => {
      breaking(() => undefined);
      const sender = await another();
      await post(sender);
      expect(await post(sender)).toMatchObject({ statusCode: null, error: 'no response within 5000 ms' });
      expect(received).toHaveLength(2);
    }, 30_000);
  });

  test('sends only once if the connection is new and gets cut', async () => {
    answer = (response) => response.socket?.destroy();
    const sender = await webhookSender({ allowedHosts: ['127.0.0.1'] });
    expect(await post(sender)).toMatchObject({ statusCode: null, error: 'ECONNRESET' });
    expect(received).toHaveLength(1);
  });

  test('accepts an endless response and cuts it off', async () => {
    let cut: (value: unknown) => void = () => undefined;
    const closed = new Promise((resolve) => (cut = resolve));
    let sent = 0;
    answer = (response) => {
      response.writeHead(200);
      response.on('close', cut);
      const chunk = Buffer.alloc(16 * 1024, 'x');
      const more = () => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    };
    const { statusCode, error } = await post(open);
    expect([statusCode, error]).toEqual([200, null]);
    await closed;
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  }, 30_000);

  test('accepts a compressed response without unpacking it', async () => {
    const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024));
    answer = (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    const before = process.memoryUsage().rss;
    expect(await post(open)).toMatchObject({ statusCode: 200, error: null });
    expect(process.memoryUsage().rss - before).toBeLessThan(24 * 1024 * 1024);
  });
});
