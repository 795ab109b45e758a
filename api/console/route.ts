import { createReadStream } from 'node:fs';
import Router from '@koa/router';
import helmet from 'koa-helmet';
import type { ApiContext, ApiState } from '../http/endpoint';
import { notFound } from '../http/errors/refusals';
import type { LiveKitSettings } from '../settings';
import { fileOf, isAsset, type StaticFile } from './static-files';

const INDEX = 'index.html';
const YEAR_S = 31_536_000;

const NOT_BUILT = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>The console is not built</title></head>
  <body>
    <h1>The console is not built</h1>
    <p>Run <code>npm run build</code> in the repository and reload this page. You don't need to restart the API.</p>
  </body>
</html>
`;

/**
 * Serves the console, a page that uses the public API with a session instead of a key. The page does its own routing, so every path that
 * isn't a file returns the page.
 */
export function consoleRoutes(
  { livekit }: { livekit: LiveKitSettings | null },
  folder: string,
): Router<ApiState> {
  const router = new Router<ApiState>();
  const policy = helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'img-src': ["'self'", 'data:', 'blob:'],
      'media-src': ["'self'", 'blob:'],
      'font-src': ["'self'"],
      // The browser connects to the media server to join calls.
      'connect-src': ["'self'", ...(livekit === null ? [] : mediaSources(livekit.publicUrl))],
      'base-uri': ["'none'"],
      'form-action': ["'self'"],
      'frame-ancestors': ["'none'"],
    },
  });

  router.get('/console{/*path}', policy, async (ctx) => {
    if (ctx.path === '/console') {
      ctx.redirect('/console/');
      return;
    }
    const name = nameIn(ctx.path);
    const accepts = (encoding: string): boolean => ctx.acceptsEncodings(encoding, 'identity') === encoding;
    const file = await fileOf(folder, name, accepts);
    if (file === null && isAsset(name)) throw notFound();
    const page = file ?? (await fileOf(folder, INDEX, accepts));
    if (page === null) answerNotBuilt(ctx);
    else send(ctx, page);
  });

  // An earlier release had a separate page for trying an agent.
  router.get('/playground', (ctx) => ctx.redirect(`/console/try${ctx.search}`));

  return router;
}

/** Returns the CSP sources of the media server: its WebSocket, and the HTTP requests that diagnose a failed one. LiveKit Cloud redirects browsers to their nearest region. */
function mediaSources(url: string): string[] {
  const { host, hostname, protocol } = new URL(url);
  const secure = protocol === 'wss:' || protocol === 'https:' ? 's' : '';
  const sources = [`ws${secure}://${host}`, `http${secure}://${host}`];
  return hostname.endsWith('.livekit.cloud')
    ? [...sources, 'wss://*.livekit.cloud', 'https://*.livekit.cloud']
    : sources;
}

/** Returns an empty name if the path can't be decoded. */
function nameIn(path: string): string {
  try {
    return decodeURIComponent(path.slice('/console/'.length));
  } catch {
    return '';
  }
}

function answerNotBuilt(ctx: ApiContext): void {
  ctx.status = 404;
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = NOT_BUILT;
}

function send(ctx: ApiContext, { path, bytes, type, etag, encoding, isImmutable }: StaticFile): void {
  ctx.set('Cache-Control', isImmutable ? `public, max-age=${YEAR_S}, immutable` : 'no-cache');
  ctx.set('Vary', 'Accept-Encoding');
  ctx.set('Permissions-Policy', 'microphone=(self)');
  ctx.set('ETag', etag);
  ctx.type = type;
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  if (encoding !== null) ctx.set('Content-Encoding', encoding);
  ctx.length = bytes;
  if (ctx.method !== 'HEAD') ctx.body = createReadStream(path);
}
