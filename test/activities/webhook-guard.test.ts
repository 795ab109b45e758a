/** Attacks by a hostile URL, name server or receiver. Names and connections are faked, so no traffic leaves this machine. */
import { createSocket } from 'node:dgram';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { webhookSender, type WebhookSender, failureName } from '../../activities/delivering/sender';
import { dnsResolve } from '../../runtime/network/guarded-lookup';

const PUBLIC = '93.184.216.34';
const PUBLIC_6 = '2606:2800:220:1::1';

/** A self-signed certificate for receiver.test, used only by this test. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZCoOmle+zn08ZkqU
P0MahGLFTMdGMnJP1PPo9EDEtKGhRANCAAR/Bhdg6SorTimHLszeMITlJF1Ioy4K
+LA6bGtoCCqThVGB3GvNK4CUD5gytQfZlzj4+CEuzMnrcKvd3wSi06GW
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBoTCCAUegAwIBAgIUOR87+yg8BibrqtVwiTLH0ePRQugwCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNcmVjZWl2ZXIudGVzdDAgFw0yNjExMjEyMjQ4MjNaGA8yMTI2
MTAyODIyNDgyM1owGDEWMBQGA1UEAwwNcmVjZWl2ZXIudGVzdDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABH8GF2DpKitOKYcuzN4whOUkXUijLgr4sDpsa2gIKpOF
UYHca80rgJQPmDK1B9mXOPj4IS7Myetwq93fBKLToZajbTBrMB0GA1UdDgQWBBSR
6PQ7VngVD7oDPru7W8Pmx9rQKzAfBgNVHSMEGDAWgBSR6PQ7VngVD7oDPru7W8Pm
x9rQKzAPBgNVHRMBAf8EBTADAQH/MBgGA1UdEQQRMA+CDXJlY2VpdmVyLnRlc3Qw
CgYIKoZIzj0EAwIDSAAwRQIgT0leQUibmfXAmgoZ3XcvlgYbRH0urH5mAdKOYdRQ
DNACIQCMiT2Eh+CIUSN+HXY2nV0z/GdvThxKmi5BQJcG54pSkA==
-----END CERTIFICATE-----`;

const closing: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

async function listening<S extends net.Server>(server: S): Promise<S & { port: number }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const open = new Set<net.Socket>();
  server.on('connection', (socket: net.Socket) => open.add(socket));
  closing.push(() => {
    for (const socket of open) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return Object.assign(server, { port: (server.address() as AddressInfo).port });
}

describe('post() to a URL', () => {
  let answers: string[][];
  let asked: string[];
  let connected: unknown[];
  let received: http.IncomingMessage[];
  let sender: WebhookSender;

  beforeEach(async () => {
    [answers, asked, connected, received] = [[], [], [], []];
    const receiver = await listening(
      http.createServer((request, response) => {
        received.push(request);
        response.writeHead(204, { connection: 'close' }).end();
      }),
    );
    /** Redirects every connection that the guard allows to the test's receiver. */
    class Diverting extends http.Agent {
      override createConnection(options: any, callback: any) {
        const guarded = options.lookup;
        const lookup = (host: string, how: object, done: any) =>
          guarded(host, how, (error: Error | null, found: unknown) => {
            if (error !== null) return done(error);
            connected.push(found);
            done(null, [{ address: '127.0.0.1', family: 4 }]);
          });
        return super.createConnection({ ...options, port: receiver.port, lookup }, callback);
      }
    }
    sender = await webhookSender({
      allowedHosts: [],
      resolve: (name) => {
        asked.push(name);
        const answer = answers.length > 1 ? answers.shift() : answers[0];
        return answer === undefined ? Promise.reject(notFound()) : Promise.resolve(answer);
      },
      agents: (options) => ({ http: new Diverting(options), https: new https.Agent(options) }),
    });
  });
  const notFound = () => Object.assign(new Error('queryA ENOTFOUND inner.corp'), { code: 'ENOTFOUND' });
  const post = (url = 'http://receiver.example/hook') => sender.post(url, '{}', {});

  test('connects to the public addresses of the host', async () => {
    answers = [[PUBLIC, PUBLIC_6]];
    expect(await post()).toMatchObject({ statusCode: 204, error: null });
    expect(connected).toEqual([
      [
        { address: PUBLIC, family: 4 },
        { address: PUBLIC_6, family: 6 },
      ],
    ]);
  });

  test.each([
    [['10.0.0.1']],
    [['169.254.169.254']],
    [['::1']],
    [['::ffff:10.0.0.1']],
    [['64:ff9b::a00:1']],
    [[PUBLIC, '10.0.0.1']],
    [['192.168.0.1', PUBLIC]],
    [[PUBLIC, 'fd00::1']],
    [[PUBLIC, 'not an address']],
  ])('rejects a host that resolves to %j before it connects', async (found) => {
    answers = [found];
    for (const url of ['http://receiver.example/', 'https://receiver.example/']) {
      expect(await post(url)).toMatchObject({ statusCode: null, error: 'the address is private' });
    }
    expect([connected, received]).toEqual([[], []]);
  });

  test('checks the address that it uses if a host changes its address at each connection', async () => {
    answers = [[PUBLIC], ['127.0.0.1'], [PUBLIC]];
    const errors = [await post(), await post(), await post()].map(({ error }) => error);
    expect(errors).toEqual([null, 'the address is private', null]);
    // Each connection makes a single look-up, so there is no second result that could differ.
    expect(asked).toHaveLength(3);
    expect(connected).toHaveLength(2);
  });

  test('rejects a name of this machine without a look-up', async () => {
    for (const host of ['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'ｌocalhost']) {
      expect((await post(`http://${host}/`)).error).toBe('the address is private');
    }
    expect(asked).toEqual([]);
  });

  test("reports a host that is unknown or has no address, without quoting the name server's response", async () => {
    expect(await post()).toMatchObject({ statusCode: null, error: 'ENOTFOUND' });
    answers = [[]];
    expect(await post()).toMatchObject({ statusCode: null, error: 'ENOTFOUND' });
  });

  test.each([
    'http://127.0.0.1./',
    'http://127.1/',
    'http://127。0。0。1/',
    'http://127．0｡0.1/',
    'http://①②⑦.0.0.1/',
    'http://0x7f.1/',
    'http://0177.1/',
    'http://0x7f000001/',
    'http://2130706433/',
    'http://%31%32%37.1/',
    'http://127.0.0.1\t/',
    'http:\\\\127.0.0.1\\',
    'http:/127.0.0.1/',
    'http://public.example@127.0.0.1/',
    'http://public.example:80@127.0.0.1/',
    'http://public.example%40127.0.0.1@10.0.0.1/',
    'http://public.example#@169.254.169.254/'.replace('#@', '@'),
    'http://168.63.129.16/',
    'http://3232235521/',
    'http://0xa9fea9fe/',
    'http://0251.0376.0251.0376/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:0:7f00:1]/',
    'http://[::7f00:1]/',
    'http://[64:ff9b::169.254.169.254]/',
    'http://[2002:a00:1::]/',
    'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
    'http://[ff02::1]/',
    'https://127.0.0.1/',
    'https://[::1]/',
  ])('rejects the address %s without a look-up', async (url) => {
    answers = [[PUBLIC]];
    expect(await post(url)).toMatchObject({ statusCode: null, error: 'the address is private' });
    expect([asked, connected]).toEqual([[], []]);
  });

  test.each([
    'http://[fe80::1%25eth0]/',
    'http://[::1',
    'http://256.0.0.1/',
    'http://1.2.3.4.5/',
    'http://0x100000000/',
    'http://receiver.example:99999/',
    'http://rec eiver.example/',
    '//127.0.0.1/',
    '',
  ])('rejects the malformed URL %j without a look-up', async (url) => {
    answers = [[PUBLIC]];
    expect(await post(url)).toMatchObject({ statusCode: null, error: 'the URL is invalid' });
    expect([asked, connected]).toEqual([[], []]);
  });

  test.each(['ftp', 'file', 'gopher', 'data', 'javascript', 'ws'])(
    'rejects the scheme %s',
    async (scheme) => {
      expect((await post(`${scheme}://receiver.example/`)).error).toBe('the URL is not http or https');
      expect([asked, connected]).toEqual([[], []]);
    },
  );

  test.each([22, 25, 53, 110, 143, 389, 465, 587, 5060, 6667])(
    'rejects port %d, which belongs to another protocol',
    async (port) => {
      answers = [[PUBLIC]];
      expect((await post(`http://receiver.example:${port}/`)).error).toBe(
        'the port is reserved for another protocol',
      );
      expect([asked, connected]).toEqual([[], []]);
    },
  );

  test('accepts a port that is not reserved for another protocol', async () => {
    answers = [[PUBLIC]];
    for (const port of [80, 443, 8080, 8443, 3000, 65535]) {
      expect((await post(`http://receiver.example:${port}/`)).error).toBeNull();
    }
  });

  test('fails without following a redirect to a private address', async () => {
    const hop = await listening(
      http.createServer((_request, response) =>
        response.writeHead(307, { location: 'http://169.254.169.254/' }).end(),
      ),
    );
    const open = await webhookSender({ allowedHosts: ['127.0.0.1'], resolve: () => Promise.resolve([]) });
    expect(await open.post(`http://127.0.0.1:${hop.port}/`, '{}', {})).toMatchObject({
      statusCode: 307,
      error: 'status 307',
    });
  });
});

describe("post() and the receiver's response", () => {
  /** Accepts a connection and lets the test write the response to the socket. */
  async function answeredBy(write: (socket: net.Socket) => void) {
    let ended: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => (ended = resolve));
    const server = await listening(
      net.createServer((socket) => {
        socket.on('error', () => undefined);
        socket.on('close', ended);
        socket.once('data', () => write(socket));
      }),
    );
    const sender = await webhookSender({ allowedHosts: ['127.0.0.1'] });
    const answer = await sender.post(`http://127.0.0.1:${server.port}/secret-path`, '{}', {});
    // The sender must close the connection, even if the receiver keeps it open.
    await closed;
    return answer;
  }
  const flood = (socket: net.Socket, text: string) => {
    const more = () => {
      while (!socket.destroyed && socket.write(text));
      if (!socket.destroyed) socket.once('drain', more);
    };
    more();
  };
  /** Sends one byte every 200 ms, endlessly. */
  const drip = (socket: net.Socket, text: string) => {
    let sent = 0;
    const timer = setInterval(() => {
      if (socket.destroyed) return clearInterval(timer);
      socket.write(text[sent++ % text.length] ?? '');
    }, 200);
  };
  const HEAD = 'HTTP/1.1 200 OK\r\n';

  test('cuts off an endless response at the timeout when its headers or its body are slow', async () => {
    const results = await Promise.all([
      answeredBy(() => undefined),
      answeredBy((socket) => drip(socket, `HTTP/1.1 200 ${'O'.repeat(200)}`)),
      answeredBy((socket) => {
        socket.write(HEAD);
        drip(socket, 'x-filler: y\r\n');
      }),
      answeredBy((socket) => {
        socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      }),
    ]);
    const late = { statusCode: null, error: 'no response within 5000 ms' };
    for (const result of results) expect(result).toMatchObject(late);
  }, 15_000);

  test('uses the status of a response whose body trickles in, and cuts the body off at the timeout', async () => {
    const [good, bad] = await Promise.all(
      ['200 OK', '500 No'].map((status) =>
        answeredBy((socket) => {
          socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 1000\r\n\r\n`);
          drip(socket, 'x');
        }),
      ),
    );
    expect(good).toMatchObject({ statusCode: 200, error: null });
    expect(bad).toMatchObject({ statusCode: 500, error: 'status 500' });
  }, 15_000);

  test('cuts off a response with endless headers', async () => {
    const answer = await answeredBy((socket) => {
      socket.write(HEAD);
      flood(socket, `x-filler: ${'y'.repeat(1000)}\r\n`);
    });
    expect(answer).toMatchObject({ statusCode: null, error: 'the headers of the response are too large' });
  });

  test('cuts off endless interim responses', async () => {
    const answer = await answeredBy((socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'));
    expect(answer).toMatchObject({ statusCode: null, error: 'too many interim answers' });
  });

  test('uses the final response after some interim responses', async () => {
    const answer = await answeredBy((socket) =>
      socket.end(
        'HTTP/1.1 102 Processing\r\n\r\n'.repeat(3) + `${HEAD}content-length: 0\r\nconnection: close\r\n\r\n`,
      ),
    );
    expect(answer).toMatchObject({ statusCode: 200, error: null });
  });

  test('fails if the response is not HTTP or upgrades the connection', async () => {
    expect(await answeredBy((socket) => socket.write('220 mail.inner.corp ESMTP\r\n'))).toMatchObject({
      statusCode: null,
      error: 'the response is not valid HTTP',
    });
    const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n';
    const upgraded = await answeredBy((socket) => socket.write(upgrade));
    expect(upgraded.statusCode).toBeNull();
    expect(upgraded.error).not.toBeNull();
  });

  test('fails if the response declares two lengths', async () => {
    const answer = await answeredBy((socket) =>
      socket.write(`${HEAD}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
    );
    expect(answer).toMatchObject({ statusCode: null, error: 'the response is not valid HTTP' });
  });
});

describe('post() over TLS', () => {
  test('rejects an untrusted certificate with a clear message, and sends nothing', async () => {
    let requests = 0;
    const server = await listening(
      https.createServer({ key: KEY, cert: CERTIFICATE }, (_request, response) => {
        requests += 1;
        response.end();
      }),
    );
    const sender = await webhookSender({ allowedHosts: ['127.0.0.1'] });
    expect(await sender.post(`https://127.0.0.1:${server.port}/`, '{}', {})).toMatchObject({
      statusCode: null,
      error: 'the certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)',
    });
    expect(requests).toBe(0);
  });

  test("reports a failed TLS connection when the receiver doesn't support TLS", async () => {
    const server = await listening(http.createServer((_request, response) => response.end()));
    const sender = await webhookSender({ allowedHosts: ['127.0.0.1'] });
    const { error } = await sender.post(`https://127.0.0.1:${server.port}/`, '{}', {});
    expect(error).toBe('the TLS handshake failed');
  });
});

describe('failureName()', () => {
  const withCode = (code: string) =>
    Object.assign(new Error('connect 10.0.0.5:5432 https://u:p@x/'), { code });

  test.each([
    ['CERT_HAS_EXPIRED', 'the certificate has expired'],
    ['CERT_NOT_YET_VALID', 'the certificate is not valid yet'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate is for another host name'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'the certificate is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'the certificate is not trusted (SELF_SIGNED_CERT_IN_CHAIN)'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'the TLS handshake failed'],
    ['ECONNREFUSED', 'ECONNREFUSED'],
    ['EAI_AGAIN', 'EAI_AGAIN'],
  ])('returns for %s: "%s"', (code, name) => expect(failureName(withCode(code))).toBe(name));

  test("omits the error's message", () => {
    for (const error of [new Error('at 10.0.0.5'), 'at 10.0.0.5', { message: '10.0.0.5' }, null]) {
      expect(failureName(error)).not.toContain('10.0.0.5');
    }
  });
});

test('resolves names over DNS without blocking a thread when the name server is silent', async () => {
  const silent = createSocket('udp4');
  await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve));
  const asked = new Promise((resolve) => silent.once('message', resolve));
  const resolve = dnsResolve([`127.0.0.1:${silent.address().port}`]);
  const unanswered = resolve('receiver.example').catch((error: { code: string }) => error.code);
  await asked;
  silent.close();
  expect(['ETIMEOUT', 'ECONNREFUSED']).toContain(await unanswered);
}, 20_000);
