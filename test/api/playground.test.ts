import { openTestApi, type TestApi } from './support/test-api';

const LIVEKIT = {
  url: 'http://livekit.internal.test',
  publicUrl: 'wss://rtc.example.test',
  apiKey: 'devkey',
  apiSecret: 'secret',
};
const STRICT = "default-src 'none';frame-ancestors 'none'";
const MODULE = /^import .* from '\.\/([\w.]+)';$/gm;

describe('the playground', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await openTestApi({ settings: { livekit: LIVEKIT } });
  });
  afterAll(() => api.close());

  const get = (path: string) => api.ask(path, { as: null });

  test.each(['/playground', '/playground/'])('needs no key at %s', async (path) => {
    const page = await get(path);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });

  test('loads nothing from other origins and has no inline script', async () => {
    const { text } = await get('/playground');
    const loaded = [...text.matchAll(/(?:src|<link[^>]* href)="([^"]+)"/g)].map(
      ([, address = '']) => address,
    );
    expect(loaded).toEqual([
      '/playground/icon.svg',
      '/console/tokens.css',
      '/playground/page.css',
      '/playground/livekit-client.js',
      '/playground/page.mjs',
    ]);
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|https?:/);
  });

  test('links to the console and the API page, which links back', async () => {
    const places = ['/console', '/playground', '/api/docs'];
    for (const page of ['/playground', '/api/docs']) {
      const [bar = ''] = /<nav.*<\/nav>/.exec((await get(page)).text) ?? [];
      expect([...bar.matchAll(/href="([^"]+)"/g)].map(([, address]) => address)).toEqual(places);
      expect(bar).toContain(`href="${page}" aria-current="page"`);
    }
  });

  test('serves each file whole, with its content type', async () => {
    const types = {
      'icon.svg': 'image/svg+xml',
      'page.css': 'text/css; charset=utf-8',
      'livekit-client.js': 'text/javascript; charset=utf-8',
      'page.mjs': 'text/javascript; charset=utf-8',
    };
    for (const [name, type] of Object.entries(types)) {
      const part = await get(`/playground/${name}`);
      expect([name, part.status, part.headers.get('content-type')]).toEqual([name, 200, type]);
      expect(part.headers.get('x-content-type-options')).toBe('nosniff');
    }
    const client = (await get('/playground/livekit-client.js')).text;
    expect(client.length).toBeGreaterThan(300_000);
    expect(client).toContain('LivekitClient');
  });

  test('serves every module that its modules import', async () => {
    const seen = new Set(['page.mjs']);
    for (const name of seen) {
      const { status, text } = await get(`/playground/${name}`);
      expect([name, status]).toEqual([name, 200]);
      for (const [, needed = ''] of text.matchAll(MODULE)) seen.add(needed);
    }
    expect(seen.size).toBeGreaterThan(4);
  });

  test('contains each element that its script looks up', async () => {
    const { text } = await get('/playground');
    const script = (await get('/playground/page.mjs')).text;
    const wanted = [...script.matchAll(/by\('([\w-]+)'\)/g)].map(([, id = '']) => id);
    expect(wanted.length).toBeGreaterThan(10);
    for (const id of wanted) expect(text).toContain(`id="${id}"`);
  });

  test('may connect only to this server and the media server, and use the microphone', async () => {
    const { headers } = await get('/playground');
    expect(headers.get('content-security-policy')?.split(';').sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self' wss://rtc.example.test https://rtc.example.test",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
      "img-src 'self'",
      "script-src 'self'",
      "style-src 'self'",
    ]);
    expect(headers.get('permissions-policy')).toBe('microphone=(self)');
  });

  test.each(['/playground/page.mjs', '/playground/livekit-client.js', '/playground/icon.svg', '/api/limits'])(
    'has the strict policy of all other responses at %s',
    async (path) => {
      expect((await get(path)).headers.get('content-security-policy')).toBe(STRICT);
    },
  );

  test.each(['index.html', 'route.ts', 'page.ts', 'constructor', '__proto__', '..%2froute.ts', 'page.mjs/x'])(
    'serves no file %s',
    async (name) => {
      const { status, body } = await get(`/playground/${name}`);
      expect([status, body.detail.code]).toEqual([404, 'NOT_FOUND']);
    },
  );

  test('contains no key and no secret', async () => {
    const { text } = await get('/playground');
    expect(text).not.toContain(LIVEKIT.apiKey);
    expect(text).not.toContain(LIVEKIT.apiSecret);
  });
});

describe.each([
  ['without a media server', null, "connect-src 'self'"],
  [
    'with one on this machine',
    { ...LIVEKIT, publicUrl: 'ws://127.0.0.1:7880' },
    "connect-src 'self' ws://127.0.0.1:7880 http://127.0.0.1:7880",
  ],
  [
    "with one in LiveKit's cloud, which redirects browsers to a region",
    { ...LIVEKIT, publicUrl: 'wss://acme.livekit.cloud' },
    "connect-src 'self' wss://acme.livekit.cloud https://acme.livekit.cloud wss://*.livekit.cloud https://*.livekit.cloud",
  ],
])('the playground %s', (_where, livekit, sources) => {
  test('allows the connections that a session needs in its CSP', async () => {
    const api = await openTestApi({ settings: { livekit } });
    try {
      const { status, headers } = await api.ask('/playground', { as: null });
      expect(status).toBe(200);
      expect(headers.get('content-security-policy')?.split(';')).toContain(sources);
    } finally {
      await api.close();
    }
  });
});
