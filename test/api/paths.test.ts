import { randomUUID } from 'node:crypto';
import { createConnection } from 'node:net';
import { isStream } from './support/operations';
import { newAgent } from './support/rows';
import { openTestApi, type TestApi } from './support/test-api';

let api: TestApi;
let document: any;

beforeAll(async () => {
  api = await openTestApi();
  document = (await api.ask('/api/openapi.json')).body;
});
afterAll(() => api.close());

/** Sends the line as written, because `fetch` would normalize the path. */
async function rawStatus(line: string): Promise<number> {
  const { hostname, port } = new URL(api.url);
  const socket = createConnection(Number(port), hostname);
  socket.write(
    `${line} HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${api.organization.key}\r\nConnection: close\r\n\r\n`,
  );
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
}

/** Reads only the head, because an event stream never ends. */
async function streamStatus(path: string, method: string) {
  const { status, body } = await fetch(`${api.url}${path}`, {
    method,
    headers: { 'X-API-Key': api.organization.key },
  });
  await body?.cancel();
  return { status, body: null };
}

describe('a path', () => {
  test('leads to the same endpoint with and without a trailing slash', async () => {
    for (const [template, methods] of Object.entries<any>(document.paths)) {
      const path = template.replace(/\/$/, '').replace(/\{\w+\}/g, randomUUID());
      for (const [method, operation] of Object.entries<any>(methods)) {
        const ask = (each: string): Promise<{ status: number; body: any }> =>
          isStream(operation)
            ? streamStatus(each, method.toUpperCase())
            : api.ask(each, { method: method.toUpperCase() });
        const answers = await Promise.all([path, `${path}/`].map(ask));
        const [bare, slashed] = answers.map(({ status, body }) => [
          path,
          method,
          status,
          body?.detail ?? body?.code,
        ]);
        expect(slashed).toEqual(bare);
        expect(answers[0]?.status).not.toBe(405);
      }
    }
  });

  test.each(['/api/agents', '/api/campaigns/', '/api/call-history', '/api/limits'])(
    'returns the same with and without a trailing slash: GET %s',
    async (path) => {
      const bare = path.replace(/\/$/, '');
      const answers = await Promise.all([api.ask(bare), api.ask(`${bare}/`), api.ask(`${bare}?`)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    },
  );

  test.each([
    '/',
    '/api',
    '/api/',
    '/api/nothing',
    '/api/agents/all',
    '/api/Agents',
    '/api//agents',
    '/api/agents//',
    '/api/campaigns//file',
    '/api/docs/../../secret',
    '/api/openapi.yaml',
    '/api/campaigns/create/now',
  ])('returns 404 NOT_FOUND: %s', async (path) => {
    const answer = await api.ask(path);
    expect([answer.status, answer.body]).toEqual([
      404,
      { detail: { code: 'NOT_FOUND', message: expect.any(String) } },
    ]);
  });

  test.each([
    'GET /api/../api/agents',
    'GET /api/%2e%2e/x',
    'GET /api/agent/%',
    'GET /api/agent/%ff%fe',
    'GET *',
    'GET //',
  ])('returns a 4xx: %s', async (line) => {
    const status = await rawStatus(line);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });
});

describe('the API', () => {
  test.each([
    ['POST', '/api/agents', 'HEAD, GET'],
    ['PUT', '/api/agents/', 'HEAD, GET'],
    ['DELETE', '/api/campaigns/', 'HEAD, GET'],
    ['GET', '/api/create-agent', 'POST'],
    ['GET', '/api/trigger-call/', 'POST'],
    ['PATCH', `/api/campaigns/${randomUUID()}`, 'HEAD, GET, PUT'],
    ['POST', `/api/agent/${randomUUID()}`, 'HEAD, GET, DELETE'],
    ['POST', `/api/agent/${randomUUID()}/persona`, 'PATCH'],
    ['GET', `/api/campaigns/${randomUUID()}/resume`, 'POST'],
    ['POST', '/api/openapi.json', 'HEAD, GET'],
    ['DELETE', '/healthz', 'HEAD, GET'],
    ['PUT', '/api/campaigns/simulate', 'POST'],
    ['PATCH', '/api/agent/00000000-0000-4000-8000-000000000000/restore', 'POST'],
    ['PATCH', '/api/agent/00000000-0000-4000-8000-000000000000/versions', 'HEAD, GET'],
    ['PUT', '/api/campaigns/create/', 'POST'],
    ['GET', '/api/campaigns/create', 'POST'],
    ['POST', '/api/call_details/', 'HEAD, GET'],
  ])('returns 405 and the allowed methods: %s %s', async (method, path, allowed) => {
    const answer = await api.ask(path, { method });
    expect([answer.status, answer.body.detail.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(answer.headers.get('allow')).toBe(allowed);
  });

  test('responds to OPTIONS with the allowed methods', async () => {
    const answer = await api.ask('/api/agents', { method: 'OPTIONS', as: null });
    expect([answer.status, answer.headers.get('allow'), answer.text]).toEqual([204, 'HEAD, GET', '']);
    const simulate = await api.ask('/api/campaigns/simulate', { method: 'OPTIONS', as: null });
    expect([simulate.status, simulate.headers.get('allow')]).toEqual([204, 'POST']);
  });

  test('returns 404 to OPTIONS for an unknown path', async () => {
    expect((await api.ask('/api/nothing', { method: 'OPTIONS' })).status).toBe(404);
  });

  test('responds to HEAD with the status and headers of GET, without a body', async () => {
    const id = await newAgent(api);
    for (const path of [
      '/api/agents',
      '/api/call-history?page_size=1',
      `/api/agent/${id}`,
      '/api/docs',
      '/healthz',
    ]) {
      const [get, head] = await Promise.all([api.ask(path), api.ask(path, { method: 'HEAD' })]);
      expect([head.status, head.text]).toEqual([200, '']);
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
      expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    }
  });

  test('requires a key for HEAD as well as for GET', async () => {
    expect((await api.ask('/api/agents', { method: 'HEAD', as: null })).status).toBe(401);
  });

  test("rejects methods that aren't HTTP methods", async () => {
    expect(await rawStatus('PROPFIND /api/agents')).toBe(405);
    expect(await rawStatus('BREW /api/agents')).toBe(400);
  });
});

describe('the documentation', () => {
  const get = (path: string) => api.ask(path, { as: null });

  /** Sources of a Content-Security-Policy by directive. */
  function policyOf(header: string | null): Record<string, string> {
    return Object.fromEntries(
      (header ?? '').split(';').map((directive) => {
        const [name = '', ...sources] = directive.split(' ');
        return [name, sources.join(' ')];
      }),
    );
  }

  describe('the documentation page', () => {
    test('needs no key and loads nothing from other origins', async () => {
      for (const path of ['/api/docs', '/api/docs/']) {
        const page = await get(path);
        expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
        const loaded = [...page.text.matchAll(/(?:src|<link[^>]* href)="([^"]+)"/g)].map(
          ([, address = '']) => address,
        );
        expect(loaded).toEqual([
          '/api/docs/swagger-ui.css',
          '/console/tokens.css',
          '/api/docs/look.css',
          '/api/docs/favicon-32x32.png',
          '/api/docs/swagger-ui-bundle.js',
          '/api/docs/start.js',
        ]);
        for (const address of loaded) {
          const asset = await get(address);
          expect([address, asset.status, asset.text.length > 100]).toEqual([address, 200, true]);
          expect(asset.headers.get('x-content-type-options')).toBe('nosniff');
        }
      }
    });

    test('contains links to the console and to its page for trying an agent', async () => {
      const [bar = ''] = /<nav[^]*<\/nav>/.exec((await get('/api/docs')).text) ?? [];
      const links = [...bar.matchAll(/href="([^"]+)"/g)].map(([, address]) => address);
      expect(links).toEqual(['/console', '/console/try', '/api/docs']);
      expect(bar).toContain('href="/api/docs" aria-current="page"');
    });

    test('serves each asset completely, with its content type', async () => {
      const types = await Promise.all(
        ['swagger-ui.css', 'favicon-32x32.png', 'swagger-ui-bundle.js', 'start.js'].map(async (name) =>
          (await get(`/api/docs/${name}`)).headers.get('content-type'),
        ),
      );
      expect(types).toEqual([
        'text/css; charset=utf-8',
        'image/png',
        'text/javascript; charset=utf-8',
        'text/javascript; charset=utf-8',
      ]);
      const bundle = await get('/api/docs/swagger-ui-bundle.js');
      expect(bundle.text.includes('SwaggerUIBundle')).toBe(true);
      expect(bundle.text.length > 1_000_000).toBe(true);
    });

    test('shows the OpenAPI document of this server', async () => {
      expect((await get('/api/docs/start.js')).text).toContain("url: '/api/openapi.json'");
    });

    test('allows inline styles and data icons, and nothing more', async () => {
      const { headers } = await get('/api/docs');
      const policy = policyOf(headers.get('content-security-policy'));
      expect(policy).toMatchObject({
        'default-src': "'self'",
        'script-src': "'self'",
        'style-src': "'self' 'unsafe-inline'",
        'img-src': "'self' data:",
        'font-src': "'self' data:",
        'object-src': "'none'",
      });
      expect(Object.values(policy).join(' ')).not.toMatch(/https?:|\*|unsafe-eval/);
    });

    test.each([
      '/api/docs/start.js',
      '/api/docs/swagger-ui-bundle.js',
      '/api/openapi.json',
      '/healthz',
      '/api/docs/none',
    ])('sends the same strict policy as all other responses at %s', async (path) => {
      const { headers } = await get(path);
      expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
    });

    test.each([
      'index.html',
      'package.json',
      'swagger-ui-bundle.js.map',
      'constructor',
      '__proto__',
      '..%2fpackage.json',
      '%2e%2e%2fpackage.json',
      'swagger-ui.css%00',
      'start.js/x',
    ])('serves no asset %s', async (name) => {
      const { status, body } = await get(`/api/docs/${name}`);
      expect([status, body.detail.code]).toEqual([404, 'NOT_FOUND']);
    });
  });
});
