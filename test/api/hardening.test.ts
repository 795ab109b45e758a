/**
 * Malicious requests, and the headers that every response must have. The fuzz tests cover many more requests.
 */
import { connect } from 'node:net';
import { once } from 'node:events';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { ApiServer } from '../../api/http/server';
import { campaignForm, newAgent, newCampaign, withFile } from './support/rows';
import { RawConnection } from './support/raw-connection';
import { openTestApi, type Asked, type TestApi } from './support/test-api';

jest.setTimeout(60_000);

let api: TestApi;
let agentId: string;
let campaignId: string;

beforeAll(async () => {
  api = await openTestApi();
  agentId = await newAgent(api);
  campaignId = await newCampaign(api);
});
afterAll(() => api.close());

const portOf = (url: string): number => Number(new URL(url).port);
const open = () => RawConnection.open(portOf(api.url));

/** Sends raw bytes and returns the raw response. */
async function exchange(...lines: string[]): Promise<string> {
  const connection = await open();
  connection.write(lines.join('\r\n'));
  const answer = await connection.answer();
  connection.socket.destroy();
  return answer;
}
const keyHeader = () => `X-API-Key: ${api.organization.key}`;
const get = (target: string, ...headers: string[]) =>
  exchange(`GET ${target} HTTP/1.1`, 'Host: x', keyHeader(), ...headers, '', '');

describe('security headers', () => {
  const json = (value: unknown): Asked => ({ json: value });
  test.each<[string, () => [path: string, asked?: Asked], number]>([
    ['a list', () => ['/api/agents'], 200],
    ['a file', () => [`/api/campaigns/${campaignId}/file`], 200],
    ['a report', () => [`/api/campaigns/${campaignId}/report`], 200],
    ['the document', () => ['/api/openapi.json', { as: null }], 200],
    ['the documentation page', () => ['/api/docs', { as: null }], 200],
    ['health', () => ['/healthz', { as: null }], 200],
    ['HEAD', () => ['/api/agents', { method: 'HEAD' }], 200],
    ['a missing key', () => ['/api/agents', { as: null }], 401],
    ['a conflict', () => [`/api/campaigns/${campaignId}/resume`, { method: 'POST' }], 409],
    ['an unknown id', () => ['/api/call_details/outbound-none'], 404],
    ['an unknown path', () => ['/nothing'], 404],
    ['another method', () => ['/api/limits', { method: 'DELETE' }], 405],
    [
      'a body that is too large',
      () => ['/api/create-agent', json({ agent_display_name: 'x'.repeat(1_100_000) })],
      413,
    ],
    [
      'another content type',
      () => ['/api/create-agent', { body: 'x', headers: { 'Content-Type': 'text/xml' } }],
      415,
    ],
    ['invalid input', () => ['/api/agents?page=x'], 422],
    [
      'a feature that is not configured',
      () => ['/api/trigger-call/', json({ agent_id: agentId, medium: 'webrtc' })],
      503,
    ],
  ])('sends the security headers with %s', async (_title, asked, expected) => {
    const { status, headers } = await api.ask(...asked());
    expect(status).toBe(expected);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(headers.get('strict-transport-security')).toContain('max-age=');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-security-policy')).toContain("default-src '");
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{1,64}$/);
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('server')).toBeNull();
  });

  test.each(['/api/agents', '/api/call-history', '/api/call_details/outbound-none'])(
    "keeps an organization's data out of caches: %s",
    async (path) => {
      expect((await api.ask(path)).headers.get('cache-control')).toBe('no-store');
    },
  );
});

describe('a malformed HTTP message', () => {
  test.each([
    ['that is not HTTP at all', 'hello\r\n\r\n', 400],
    ['with a space in the path', 'GET /api/a b HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    [
      'with bytes that are not characters',
      'GET /api/agents?search=\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n',
      400,
    ],
    ['with a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n', 400],
    ['with a line break within a header', 'GET / HTTP/1.1\r\nHost: x\r\nA: b\nc\r\n\r\n', 400],
    [
      'with two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx',
      400,
    ],
    [
      'with a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['with a negative length', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', 400],
    ['with headers of 20 KiB', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['with a path of 20 KiB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ])(
    'rejects a message %s with the common error body, and closes the connection',
    async (_title, request, status) => {
      const connection = await open();
      connection.write(request);
      const answer = await connection.answer();
      await connection.closed;
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(head).toMatch(/x-content-type-options: nosniff/i);
      expect(head).toMatch(/x-request-id: [\w-]+/i);
      expect(JSON.parse(body)).toEqual({ detail: { code: expect.any(String), message: expect.any(String) } });
    },
  );
});

test.each([
  '0000-01-01',
  '9999-12-31T23:59:59-23:59',
  '0001-01-01T00:00:00%2B23:59',
  '2026-02-30',
  '10000-01-01',
])("returns 422 for a time that Postgres can't store: %s", async (time) => {
  for (const name of ['from', 'to']) {
    const { status, body } = await api.ask(`/api/call-history?${name}=${time}`);
    expect([status, body.detail[0].loc]).toEqual([422, ['query', name]]);
  }
});

describe('a hostile path', () => {
  test.each([
    '/api/agent/%ZZ',
    '/api/agent/%',
    '/api/agent/%C0%80',
    '/api/call_details/%00',
    '/api/call_details/%ED%A0%80',
    '/api/call_details/%FF',
    '/api/transcript/..%2f..%2fetc%2fpasswd',
    '/api/campaigns/%2e%2e/file',
    '/api/campaigns/..%00/report',
    '/api/docs/..%2f..%2fpackage.json',
    '/api/docs/%2e%2e%2fpackage.json',
    '/api/docs/__proto__',
    '/api/docs/constructor',
    '/api/../../etc/passwd',
    '//etc/passwd',
    '/api/agents/../../x',
    '/api/agent/#',
    'http://elsewhere.example/api/agent/x',
    `/api/call_details/${'x'.repeat(8000)}`,
    `/${'/'.repeat(5000)}`,
  ])('returns a 4xx for %s', async (target) => {
    expect(await get(target)).toMatch(/^HTTP\/1\.1 (400|404|405|422) /);
  });
});

describe("a field name that reaches an object's prototype", () => {
  const encoded = (body: string): Asked => ({
    method: 'PUT',
    body,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  const form = (name: string): FormData => {
    const fields = new FormData();
    fields.append('campaign_name', 'Renamed');
    fields.append(name, 'x');
    return fields;
  };

  test.each<[string, (path: { campaign: string }) => [string, Asked]]>([
    ['urlencoded', ({ campaign }) => [campaign, encoded('campaign_name=Renamed&__proto__=x')]],
    ['urlencoded, constructor', ({ campaign }) => [campaign, encoded('constructor=x')]],
    ['a form', ({ campaign }) => [campaign, { method: 'PUT', body: form('__proto__') }]],
    ['a form, prototype', ({ campaign }) => [campaign, { method: 'PUT', body: form('prototype') }]],
    [
      'JSON',
      ({ campaign }) => [
        campaign,
        {
          method: 'PUT',
          body: '{"campaign_name":"Renamed","__proto__":{"x":1}}',
          headers: { 'Content-Type': 'application/json' },
        },
      ],
    ],
    [
      'metadata of a dispatch',
      () => [
        '/api/trigger-call/',
        {
          body: `{"agent_id":"${agentId}","contact_number":"+919876543210","name":"A","metadata":{"a":{"__proto__":{"x":1}}}}`,
          headers: { 'Content-Type': 'application/json' },
        },
      ],
    ],
    [
      'modify_agent of a dispatch',
      () => [
        '/api/trigger-call/',
        {
          body: `{"agent_id":"${agentId}","contact_number":"+919876543210","name":"A","modify_agent":{"persona":{"constructor":{"x":1}}}}`,
          headers: { 'Content-Type': 'application/json' },
        },
      ],
    ],
  ])('rejects the name in %s', async (_title, asked) => {
    const before = await api.db('campaigns').where({ id: campaignId }).first();
    const [path, request] = asked({ campaign: `/api/campaigns/${campaignId}` });
    const { status, text } = await api.ask(path, request);
    expect([status, text]).toEqual([
      422,
      expect.stringMatching(/is not (an allowed field name|allowed as a key)/),
    ]);
    expect(await api.db('campaigns').where({ id: campaignId }).first()).toEqual(before);
  });

  test.each(['persona', 'training', 'experience', 'analysis'])(
    'rejects the name in the section %s',
    async (section) => {
      const { status, body } = await api.ask(`/api/agent/${agentId}/${section}`, {
        method: 'PATCH',
        body: '{"own":{"list":[{"__proto__":{"polluted":true}}]}}',
        headers: { 'Content-Type': 'application/json' },
      });
      expect([status, body.detail[0].type]).toEqual([422, 'forbidden_key']);
    },
  );

  test.each(['__proto__', 'constructor', 'prototype'])(
    'rejects the name as a column of a contact file: %s',
    async (name) => {
      const file = `name,phone_number,${name}\nAsha,+919876543210,x\n`;
      const { status, body } = await api.ask('/api/campaigns/create', {
        body: withFile(campaignForm(agentId), file),
      });
      expect([status, body.code]).toEqual([400, 'INVALID_CONTACT_FILE']);
    },
  );

  test.each(['__proto__[page]=x', '__proto__=x', 'constructor[prototype][page]=x', 'page[__proto__]=x'])(
    'ignores the name in a query: %s',
    async (query) => {
      const { status, body } = await api.ask(`/api/agents?${query}`);
      expect([status, Array.isArray(body)]).toEqual([200, true]);
      expect(({} as any).page).toBeUndefined();
    },
  );
});

describe('an endless body', () => {
  test.each([
    ['JSON', 'POST /api/create-agent', 'application/json', '"'],
    ['urlencoded', 'PUT /api/campaigns/CAMPAIGN', 'application/x-www-form-urlencoded', 'a='],
  ])('rejects an endless body of %s after a mebibyte', async (_title, request, contentType, beginning) => {
    const connection = await open();
    connection.write(
      [
        `${request.replace('CAMPAIGN', campaignId)} HTTP/1.1`,
        'Host: x',
        keyHeader(),
        `Content-Type: ${contentType}`,
        'Transfer-Encoding: chunked',
        '',
        '',
      ].join('\r\n'),
    );
    const chunk = `${beginning}${'x'.repeat(64 * 1024)}`;
    for (let sent = 0; sent < 17; sent += 1) connection.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    expect(await connection.answer()).toMatch(/^HTTP\/1\.1 413 /);
    connection.socket.destroy();
  });
});

describe('a decompression bomb', () => {
  const bomb = Buffer.from(`{"agent_display_name":"${'x'.repeat(50 * 1024 * 1024)}"}`);

  test.each([
    ['gzip', () => gzipSync(bomb)],
    ['deflate', () => deflateSync(bomb)],
    ['br', () => brotliCompressSync(bomb, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ])('rejects a decompression bomb by its decompressed size: %s', async (encoding, packed) => {
    const response = await fetch(`${api.url}/api/create-agent`, {
      method: 'POST',
      headers: {
        'X-API-Key': api.organization.key,
        'Content-Type': 'application/json',
        'Content-Encoding': encoding,
      },
      body: packed(),
    });
    expect([response.status, await response.json()]).toEqual([
      413,
      { detail: { code: 'PAYLOAD_TOO_LARGE', message: expect.any(String) } },
    ]);
  });
});

describe('an API server', () => {
  /** Runs a server whose limits are short enough for a test. */
  async function serving(
    limits: ConstructorParameters<typeof ApiServer>[1],
    use: (port: number) => Promise<void>,
  ) {
    const server = new ApiServer((_request, response) => void response.end('ok'), limits);
    server.http.listen(0, '127.0.0.1');
    await once(server.http, 'listening');
    const address = server.http.address();
    await use(typeof address === 'object' && address !== null ? address.port : 0);
    await server.close();
  }

  test('closes a connection whose headers never end', () =>
    serving({ headersTimeoutMs: 50, checkedEveryMs: 20 }, async (port) => {
      const connection = await RawConnection.open(port);
      connection.write('GET / HTTP/1.1\r\nHost: x\r\nA: ');
      expect(await connection.answer()).toMatch(/^HTTP\/1\.1 408 [^]*"code":"REQUEST_TIMEOUT"/);
      await connection.closed;
    }));

  test('closes a connection that never sends anything', () =>
    serving({ headersTimeoutMs: 50, checkedEveryMs: 20 }, async (port) => {
      await (
        await RawConnection.open(port)
      ).closed;
    }));

  test('closes a connection whose body never ends', () =>
    serving({ headersTimeoutMs: 50, requestTimeoutMs: 60, checkedEveryMs: 20 }, async (port) => {
      const connection = await RawConnection.open(port);
      connection.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nx');
      await connection.closed;
    }));

  test('closes a connection that stays idle', () =>
    serving({ idleMs: 50 }, async (port) => {
      const connection = await RawConnection.open(port);
      connection.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      await connection.until((text) => text.endsWith('ok'));
      await connection.closed;
    }));

  test('limits connections by default', () => {
    const { http } = new ApiServer(() => undefined);
    expect(http.headersTimeout).toBeLessThan(http.requestTimeout);
    expect(http.requestTimeout).toBeLessThanOrEqual(300_000);
    expect(http.keepAliveTimeout).toBeGreaterThan(60_000);
  });
});

test('serves other clients while a thousand connections send nothing', async () => {
  const silent = Array.from({ length: 1000 }, () => connect(portOf(api.url), '127.0.0.1'));
  await Promise.all(silent.map((socket) => once(socket, 'connect')));
  expect((await api.ask('/api/agents')).status).toBe(200);
  for (const socket of silent) socket.destroy();
});
