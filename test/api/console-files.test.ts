import { mkdir, mkdtemp, utimes, writeFile } from 'node:fs/promises';
import { get as httpGet, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { removeFolder } from '../../dev/remove-folder';
import { openTestApi, type TestApi } from './support/test-api';

const INDEX = '<!doctype html><title>Console</title>';
const SCRIPT = `console.log('${'console '.repeat(100)}')`;
const LIVEKIT = { url: 'ws://m', publicUrl: 'wss://rtc.example.test', apiKey: 'devkey', apiSecret: 'secret' };

interface Got {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

describe('the console', () => {
  let folder: string;
  let api: TestApi;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'console-'));
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'index.html'), INDEX);
    await writeFile(join(folder, 'icon.svg'), '<svg/>');
    await writeFile(join(folder, 'secret.env'), 'secret');
    await writeFile(join(folder, 'assets', 'main-B7x_Yz12.js'), SCRIPT);
    await writeFile(join(folder, 'assets', 'main-B7x_Yz12.js.br'), brotliCompressSync(SCRIPT));
    await writeFile(join(folder, 'assets', 'main-B7x_Yz12.js.gz'), gzipSync(SCRIPT));
    api = await openTestApi({ consoleFolder: folder, settings: { livekit: LIVEKIT } });
  });
  afterAll(async () => {
    await api.close();
    await removeFolder(folder);
  });

  /** Sends the path exactly as given, and doesn't decompress the response. */
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(api.url);
      httpGet({ hostname, port, path, headers, method }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes: Buffer.concat(chunks),
          }),
        );
      }).on('error', reject);
    });

  test('serves the console at /console/, and redirects /console there', async () => {
    const { status, headers } = await get('/console');
    expect([status, headers.location]).toEqual([302, '/console/']);
    const page = await get('/console/');
    expect([page.status, page.headers['content-type'], String(page.bytes)]).toEqual([
      200,
      'text/html; charset=utf-8',
      INDEX,
    ]);
    expect(page.headers['cache-control']).toBe('no-cache');
  });

  test.each(['/console/calls/outbound-1.2', '/console/campaigns', '/console/%zz', '/console/secret.env'])(
    "returns the console's page for %s, which has no file",
    async (path) => {
      const { status, bytes } = await get(path);
      expect([status, String(bytes)]).toEqual([200, INDEX]);
    },
  );

  test.each(['/console/../secret.env', '/console/%2e%2e%2f%2e%2e%2fpackage.json', '/console/..%2fx.json'])(
    "serves nothing outside the console's folder for %s",
    async (path) => {
      const { status, bytes } = await get(path);
      expect([INDEX, '404']).toContain(status === 404 ? '404' : String(bytes));
    },
  );

  test('serves assets with hashed names, cached for a year', async () => {
    const { status, headers, bytes } = await get('/console/assets/main-B7x_Yz12.js');
    expect([status, headers['content-type'], String(bytes)]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      SCRIPT,
    ]);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await get('/console/icon.svg')).headers['cache-control']).toBe('no-cache');
  });

  test('returns 404 instead of the page for an asset of an earlier build', async () => {
    expect((await get('/console/assets/main-00000000.js')).status).toBe(404);
  });

  test.each([
    ['gzip, deflate, br', 'br', brotliCompressSync(SCRIPT)],
    ['gzip', 'gzip', gzipSync(SCRIPT)],
    ['br;q=0, identity', undefined, Buffer.from(SCRIPT)],
  ])('serves precompressed files when %s is accepted', async (accepted, encoding, expected) => {
    const { headers, bytes } = await get('/console/assets/main-B7x_Yz12.js', { 'Accept-Encoding': accepted });
    expect([headers['content-encoding'], bytes.equals(expected)]).toEqual([encoding, true]);
    expect([headers.vary, headers['content-length']]).toEqual(['Accept-Encoding', String(expected.length)]);
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
  });

  test('ignores a compressed file of an earlier build', async () => {
    const path = join(folder, 'assets', 'old-B7x_Yz12.js');
    await writeFile(path, SCRIPT);
    await writeFile(`${path}.br`, brotliCompressSync('old'));
    await utimes(`${path}.br`, 1, 1);
    const { headers } = await get('/console/assets/old-B7x_Yz12.js', { 'Accept-Encoding': 'br' });
    expect(headers['content-encoding']).toBeUndefined();
  });

  test('returns 304 for a current ETag, and no body to HEAD', async () => {
    const { headers } = await get('/console/');
    const again = await get('/console/', { 'If-None-Match': String(headers.etag) });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    const head = await get('/console/', {}, 'HEAD');
    expect([head.status, head.headers['content-length'], head.bytes.length]).toEqual([
      200,
      String(INDEX.length),
      0,
    ]);
  });

  test('allows no framing and no content from other origins', async () => {
    const { headers } = await get('/console/');
    expect(String(headers['content-security-policy']).split(';').sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self' wss://rtc.example.test https://rtc.example.test",
      "default-src 'none'",
      "font-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "img-src 'self' data: blob:",
      "media-src 'self' blob:",
      "script-src 'self'",
      "style-src 'self'",
    ]);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  test('allows the microphone only for the console', async () => {
    expect((await get('/console/try')).headers['permissions-policy']).toBe('microphone=(self)');
    expect((await get('/api/docs')).headers['permissions-policy']).toBeUndefined();
  });

  test.each([
    ['/playground', '/console/try'],
    ['/playground/', '/console/try'],
    ['/playground?agent=a%20b', '/console/try?agent=a%20b'],
  ])('redirects %s, the former page for trying an agent, to its new page', async (path, target) => {
    const { status, headers } = await get(path);
    expect([status, headers.location]).toEqual([302, target]);
  });
});

test.each([
  ['no media server', null, "connect-src 'self'"],
  [
    'one on this machine',
    { ...LIVEKIT, publicUrl: 'ws://127.0.0.1:7880' },
    "connect-src 'self' ws://127.0.0.1:7880 http://127.0.0.1:7880",
  ],
  [
    "one in LiveKit's cloud, which redirects browsers to a region",
    { ...LIVEKIT, publicUrl: 'wss://acme.livekit.cloud' },
    "connect-src 'self' wss://acme.livekit.cloud https://acme.livekit.cloud wss://*.livekit.cloud https://*.livekit.cloud",
  ],
])('allows connections only to the API and the media server: %s', async (_server, livekit, sources) => {
  const api = await openTestApi({ settings: { livekit } });
  try {
    const { headers } = await api.ask('/console/', { as: null });
    expect(headers.get('content-security-policy')?.split(';')).toContain(sources);
  } finally {
    await api.close();
  }
});

test("returns 404 with build instructions when the console isn't built", async () => {
  const api = await openTestApi({ consoleFolder: join(tmpdir(), 'no-such-console') });
  try {
    const { status, text, headers } = await api.ask('/console/', { as: null });
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(text).toContain('npm run build');
  } finally {
    await api.close();
  }
});
