import { openTestApi, type TestApi } from './support/test-api';

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

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

  test("shows this server's document", async () => {
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
