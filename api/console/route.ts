import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname, join, normalize, sep } from 'node:path';
import Router from '@koa/router';
import helmet from 'koa-helmet';
import type { ApiContext, ApiState } from '../http/context';
import { notFound } from '../http/errors/refusals';
import type { LiveKitSettings } from '../settings';

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

const COMPILED = 'dist';

/** Returns the repository's root, also when run from compiled code. */
function root(): string {
  const folder = join(__dirname, '..', '..');
  return basename(folder) === COMPILED ? join(folder, '..') : folder;
}

export const CONSOLE_FOLDER = join(root(), 'console', 'dist');

interface StaticFile {
  path: string;
  bytes: number;
  type: string;
  etag: string;
  /** `br` or `gzip` if the file is compressed, otherwise null. */
  encoding: string | null;
  /** True if the file's name changes with its content. */
  isImmutable: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.mp3': 'audio/mpeg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wav': 'audio/wav',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** In order of preference. */
const COMPRESSED = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

const HASHED = /[-.][\w-]{8,}\.\w+$/;
const ASSETS = 'assets/';

/**
 * Looks the file up on each request, because the console may be built while the API runs. `name` is the path after `/console/`. Returns null
 * if the file doesn't exist or has a type that the console doesn't use.
 */
async function fileOf(
  folder: string,
  name: string,
  accepts: (encoding: string) => boolean,
): Promise<StaticFile | null> {
  const type = TYPES[extname(name)];
  const path = join(folder, normalize(name));
  if (type === undefined || name.includes('\0') || !path.startsWith(folder + sep)) return null;
  const plain = await known(path);
  if (plain === null) return null;
  const common = { type, isImmutable: name.startsWith(ASSETS) && HASHED.test(name) };
  for (const [encoding, extension] of COMPRESSED) {
    if (!accepts(encoding)) continue;
    const file = await known(path + extension);
    // An older file comes from an earlier build.
    if (file === null || file.writtenMs < plain.writtenMs) continue;
    return { ...common, path: path + extension, bytes: file.bytes, etag: etagOf(file, encoding), encoding };
  }
  return { ...common, path, bytes: plain.bytes, etag: etagOf(plain, 'plain'), encoding: null };
}

/** A missing asset must be a 404, because the browser can't use the page in place of a script. */
const isAsset = (name: string): boolean => name.startsWith(ASSETS);

interface Known {
  bytes: number;
  writtenMs: number;
}

async function known(path: string): Promise<Known | null> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() === true ? { bytes: found.size, writtenMs: found.mtimeMs } : null;
}

const etagOf = ({ bytes, writtenMs }: Known, encoding: string): string =>
  `"${bytes.toString(36)}-${Math.round(writtenMs).toString(36)}-${encoding}"`;
