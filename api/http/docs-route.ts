import { createReadStream } from 'node:fs';
import { dirname, join } from 'node:path';
import Router from '@koa/router';
import helmet from 'koa-helmet';
import type { ApiState } from './context';
import { STYLES } from './docs-styles';
import { notFound } from './errors/refusals';

const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const ASSET_FOLDER = dirname(require.resolve('swagger-ui-dist/package.json'));

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>Voice agent platform: API</title>
  <link rel="stylesheet" href="/api/docs/swagger-ui.css">
  <link rel="stylesheet" href="/console/tokens.css">
  <link rel="stylesheet" href="/api/docs/look.css">
  <link rel="icon" type="image/png" href="/api/docs/favicon-32x32.png">
</head>
<body>
  <nav class="places" aria-label="Places">
    <a href="/console">Console</a>
    <a href="/console/try">Try an agent</a>
    <a href="/api/docs" aria-current="page">API</a>
  </nav>
  <div id="page"></div>
  <script src="/api/docs/swagger-ui-bundle.js"></script>
  <script src="/api/docs/start.js"></script>
</body>
</html>
`;

/** Swagger UI has a light and a dark theme. This script sets the class of the dark one. */
const START = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#page',
  deepLinking: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

/** Swagger UI uses inline styles and data: icons, which only this page allows. */
const pagePolicy = helmet.contentSecurityPolicy({
  useDefaults: true,
  directives: {
    'style-src': ["'self'", "'unsafe-inline'"],
    'font-src': ["'self'", 'data:'],
    'img-src': ["'self'", 'data:'],
    'upgrade-insecure-requests': null,
  },
});

/** Serves the OpenAPI document and Swagger UI. Both are public and load nothing from other hosts. */
export function docsRoutes(document: () => object): Router<ApiState> {
  const router = new Router<ApiState>();
  let json: string | null = null;

  router.get('/api/openapi.json', (ctx) => {
    // Built on first use because it takes 0.3 s, which would delay the first carrier events after a restart.
    json ??= JSON.stringify(document());
    ctx.type = 'application/json; charset=utf-8';
    ctx.body = json;
  });

  router.get('/api/docs', pagePolicy, (ctx) => {
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = PAGE;
  });

  router.get('/api/docs/start.js', (ctx) => {
    ctx.type = 'text/javascript; charset=utf-8';
    ctx.body = START;
  });

  router.get('/api/docs/look.css', (ctx) => {
    ctx.type = 'text/css; charset=utf-8';
    ctx.body = STYLES;
  });

  router.get('/api/docs/:asset', (ctx) => {
    const asset = ctx.params.asset ?? '';
    const type = Object.hasOwn(ASSETS, asset) ? ASSETS[asset] : undefined;
    if (type === undefined) throw notFound();
    ctx.type = type;
    ctx.set('Cache-Control', 'public, max-age=3600');
    ctx.body = createReadStream(join(ASSET_FOLDER, asset));
  });

  return router;
}
