/**
 * Responses sent before the request body was read. The client must receive them, the connection must end, and no other request may be
 * affected.
 */
import { once } from 'node:events';
import { Agent, createServer, request as send } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { httpServer } from '../../runtime/network/http-server';
import { livekitEventRoutes } from '../../api/carriers/livekit/routes';
import { KEY } from './support/livekit-webhooks';
import { RawConnection } from './support/raw-connection';
import { newAgent, newCampaign } from './support/rows';
import { AGENT_SECRET, openTestApi, type TestApi } from './support/test-api';

jest.setTimeout(20_000);

const CARRIER_SECRET = 'a-secret-of-the-carrier';
const portOf = (url: string): number => Number(new URL(url).port);

let api: TestApi;
let campaignId: string;

beforeAll(async () => {
  api = await openTestApi({
    carrierSecret: CARRIER_SECRET,
    moreEventRoutes: ({ clock }) => [
      livekitEventRoutes({ events: { handle: () => Promise.resolve() }, clock }, KEY),
    ],
  });
  await newAgent(api);
  campaignId = await newCampaign(api);
});
afterAll(() => api.close());

const key = () => `X-API-Key: ${api.organization.key}`;
const JSON_TYPE = 'Content-Type: application/json';

interface Refusal {
  request: string;
  headers: string[];
  status: number;
}

const REFUSALS: Record<string, () => Refusal> = {
  'a missing key': () => ({ request: 'POST /api/create-agent', headers: [JSON_TYPE], status: 401 }),
  'a wrong key': () => ({
    request: 'POST /api/campaigns/create',
    headers: ['X-API-Key: vap_wrong', 'Content-Type: multipart/form-data; boundary=x'],
    status: 401,
  }),
  'an unknown path': () => ({ request: 'POST /api/none', headers: [JSON_TYPE], status: 404 }),
  'another method': () => ({ request: 'DELETE /api/limits', headers: [key(), JSON_TYPE], status: 405 }),
  'another content type': () => ({
    request: 'POST /api/create-agent',
    headers: [key(), 'Content-Type: text/xml'],
    status: 415,
  }),
  'a form of another type': () => ({
    request: 'POST /api/campaigns/create',
    headers: [key(), JSON_TYPE],
    status: 415,
  }),
  'an unknown content encoding': () => ({
    request: 'POST /api/create-agent',
    headers: [key(), JSON_TYPE, 'Content-Encoding: zip'],
    status: 415,
  }),
  'a carrier without its secret': () => ({
    request: 'POST /api/carrier/events',
    headers: [JSON_TYPE],
    status: 401,
  }),
  'an agent without its secret': () => ({
    request: 'POST /api/carrier/callers',
    headers: [JSON_TYPE],
    status: 401,
  }),
  'a recording without a token': () => ({
    request: 'PUT /api/carrier/calls/inbound-1/recording',
    headers: ['Content-Type: audio/ogg'],
    status: 401,
  }),
  'a claim of an unknown form': () => ({
    request: 'POST /api/carrier/calls/x/claim',
    headers: [`Authorization: Bearer ${AGENT_SECRET}`, JSON_TYPE],
    status: 404,
  }),
  'a webhook without a signature': () => ({
    request: 'POST /api/livekit/webhook',
    headers: ['Content-Type: application/webhook+json'],
    status: 401,
  }),
  'an expectation that is none': () => ({
    request: 'POST /api/create-agent',
    headers: [key(), JSON_TYPE, 'Expect: a-reply'],
    status: 417,
  }),
  'a GET that has a body': () => ({ request: 'GET /api/limits', headers: [key()], status: 200 }),
  'a probe that has a body': () => ({ request: 'POST /healthz', headers: [], status: 405 }),
  'a page that has a body': () => ({ request: 'GET /console', headers: [], status: 302 }),
};

/** Beginnings of bodies whose rest the client doesn't send. */
const FRAMINGS: Record<string, { headers: string[]; body: string }> = {
  'Content-Length': { headers: ['Content-Length: 1000'], body: '{"a":' },
  chunked: { headers: ['Transfer-Encoding: chunked'], body: '5\r\n{"a":\r\n' },
  gzip: {
    headers: ['Transfer-Encoding: chunked', 'Content-Encoding: gzip'],
    body: '5\r\n\x1f\x8b\x08\x00\x00\r\n',
  },
  'Expect: 100-continue': { headers: ['Content-Length: 1000', 'Expect: 100-continue'], body: '' },
};

const statusOf = (answer: string): number =>
  Number(/^HTTP\/1\.1 (?!100)(\d+) /m.exec(answer)?.[1] ?? Number.NaN);
const isAnswered = (text: string): boolean => /^HTTP\/1\.1 (?!100)\d+ [^]*\r\n\r\n/m.test(text);

describe.each(Object.keys(FRAMINGS))("a rejected request whose body hasn't ended (%s)", (framing) => {
  test.each(Object.keys(REFUSALS))(
    'responds to the rejected request and closes its connection: %s',
    async (name) => {
      const { request, headers, status } = REFUSALS[name]?.() ?? { request: '', headers: [], status: 0 };
      const { headers: framed, body } = FRAMINGS[framing] ?? { headers: [], body: '' };
      // A header of the test case replaces the same header of the framing.
      const kept = framed.filter((line) => !headers.some((own) => own.split(':')[0] === line.split(':')[0]));
      const connection = await RawConnection.open(portOf(api.url));
      connection.write([`${request} HTTP/1.1`, 'Host: x', ...kept, ...headers, '', body].join('\r\n'));
      const answer = await connection.until(isAnswered);
      expect(answer).toMatch(/^connection: close\r$/im);
      expect(statusOf(answer)).toBe(status);
      await connection.closed;
    },
  );
});

describe('a body rejected while it is read', () => {
  const chunks = (body: Buffer): string => {
    const pieces: string[] = [];
    for (let at = 0; at < body.length; at += 65_536) {
      const piece = body.subarray(at, at + 65_536).toString('latin1');
      pieces.push(`${piece.length.toString(16)}\r\n${piece}\r\n`);
    }
    return pieces.join('');
  };
  const large = Buffer.from(`{"agent_display_name":"${'x'.repeat(8 * 1024 * 1024)}"}`);
  const noise = Buffer.from(Array.from({ length: 2_000_000 }, (_none, at) => (at * 7919) % 251));

  test.each<[string, string, string[], Buffer, number]>([
    ['of JSON', 'POST /api/create-agent', [JSON_TYPE], large, 413],
    [
      'that decompresses to too much',
      'POST /api/create-agent',
      [JSON_TYPE, 'Content-Encoding: gzip'],
      gzipSync(large),
      413,
    ],
    [
      'that decompresses to too much, without a key',
      'POST /api/console/session',
      [JSON_TYPE, 'Content-Encoding: gzip'],
      gzipSync(Buffer.concat([large, noise])),
      413,
    ],
    ['that is not valid gzip', 'POST /api/create-agent', [JSON_TYPE, 'Content-Encoding: gzip'], large, 422],
    [
      'of a form with fields only',
      'PUT /api/campaigns/CAMPAIGN',
      ['Content-Type: application/x-www-form-urlencoded'],
      large,
      413,
    ],
  ])(
    'rejects a body %s and runs no later request on the connection',
    async (_title, request, headers, body, status) => {
      for (const framing of ['chunked', 'length']) {
        const connection = await RawConnection.open(portOf(api.url));
        const length =
          framing === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length + 100}`;
        const head = [
          `${request.replace('CAMPAIGN', campaignId)} HTTP/1.1`,
          'Host: x',
          key(),
          ...headers,
          length,
        ];
        connection.write([...head, '', ''].join('\r\n'));
        connection.write(framing === 'chunked' ? chunks(body) : body.toString('latin1'));
        const answer = await connection.until(isAnswered);
        expect([statusOf(answer), /^connection: close\r$/im.test(answer)]).toEqual([status, true]);
        // Send the rest of the body, and another request after it.
        connection.write(framing === 'chunked' ? '0\r\n\r\n' : 'x'.repeat(100));
        connection.write(
          `POST /api/campaigns/${campaignId}/pause HTTP/1.1\r\nHost: x\r\n${key()}\r\nContent-Length: 0\r\n\r\n`,
        );
        await connection.closed;
        expect(connection.received.match(/HTTP\/1\.1 (?!100)/g)).toHaveLength(1);
      }
      expect((await api.db('campaigns').where({ id: campaignId }).first()).status).toBe('active');
    },
  );

  test('keeps the responses to earlier requests on the same connection', async () => {
    const connection = await RawConnection.open(portOf(api.url));
    const good = `GET /api/limits HTTP/1.1\r\nHost: x\r\n${key()}\r\n\r\n`;
    connection.write(
      `${good}${good}POST /api/none HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc`,
    );
    const answers = await connection.until((text) => (text.match(/HTTP\/1\.1 /g) ?? []).length === 3);
    await connection.closed;
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 404']);
  });
});

test('keeps the connection when the body was read completely', async () => {
  const connection = await RawConnection.open(portOf(api.url));
  const body = 'x'.repeat(300);
  const refused = `POST /api/create-agent HTTP/1.1\r\nHost: x\r\n${key()}\r\n${JSON_TYPE}\r\nContent-Length: 300\r\n\r\n${body}`;
  connection.write(refused);
  await connection.until((text) => text.endsWith('}]}') || text.endsWith('}}'));
  connection.write(`GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  const answers = await connection.until((text) => text.includes('"ok"'));
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 422', 'HTTP/1.1 200']);
});

test('delivers the error to a client that sends everything before it reads', async () => {
  const server = httpServer((_request, response) => void response.writeHead(413).end('too large'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const connection = await RawConnection.open(
    typeof address === 'object' && address !== null ? address.port : 0,
  );
  const bytes = 12 * 1024 * 1024;
  connection.socket.pause();
  connection.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`);
  const written = new Promise((resolve) => connection.socket.write(Buffer.alloc(bytes), resolve));
  expect(await written).toBeFalsy();
  connection.socket.resume();
  expect(statusOf(await connection.until((text) => text.includes('too large')))).toBe(413);
  await connection.closed;
  server.close();
});

test.each<[string, Partial<{ maxBytes: number; maxMs: number }>]>([
  ['sends more than the byte limit', { maxBytes: 100_000 }],
  ['stays longer than the time limit', { maxMs: 50 }],
])('closes the connection of a rejected client that %s', async (_title, bounds) => {
  const server = httpServer(
    (_request, response) => void response.writeHead(413).end('too large'),
    {},
    {
      maxBytes: 1e9,
      maxMs: 60_000,
      ...bounds,
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const connected = once(server, 'connection');
  const connection = await RawConnection.open(
    typeof address === 'object' && address !== null ? address.port : 0,
  );
  connection.socket.allowHalfOpen = true;
  connection.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  const more = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`);
  const sendMore = (fault?: Error | null): void => {
    if (bounds.maxBytes !== undefined && !fault) connection.socket.write(more, sendMore);
  };
  sendMore();
  const [accepted] = (await connected) as [Socket];
  // The client's reset is also an error on this socket.
  await new Promise((resolve) => accepted.once('close', resolve));
  connection.socket.destroy();
  server.close();
});

test("serves one client's requests while it rejects another's, behind a proxy with pooled connections", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  const proxy = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const target = new URL(url, api.url);
    const forwarded = send(target, { method, headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
    incoming.pipe(forwarded);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const packed = gzipSync(Buffer.from(`{"api_key":"${'x'.repeat(60_000_000)}"}`));
  const refused = (path: string, headers: Record<string, string>, body: Uint8Array<ArrayBuffer>) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body }).then(({ status }) => status);
  const json = { 'Content-Type': 'application/json' };
  const bad = () => [
    refused('/api/console/session', { ...json, 'Content-Encoding': 'gzip' }, new Uint8Array(packed)),
    refused('/api/create-agent', json, new Uint8Array(3_000_000)),
    refused('/api/create-agent', { ...json, 'X-API-Key': api.organization.key }, new Uint8Array(3_000_000)),
    refused('/api/none', json, new Uint8Array(3_000_000)),
  ];
  const good = () =>
    fetch(`http://127.0.0.1:${port}/api/limits`, { headers: { 'X-API-Key': api.stranger.key } }).then(
      ({ status }) => status,
    );
  for (let round = 0; round < 5; round += 1) {
    const [refusals, served] = await Promise.all([
      Promise.all(bad()),
      Promise.all(Array.from({ length: 6 }, good)),
    ]);
    expect(refusals).toEqual([413, 401, 413, 404]);
    expect(served).toEqual([200, 200, 200, 200, 200, 200]);
  }
  agent.destroy();
  proxy.close();
  proxy.closeAllConnections();
});
