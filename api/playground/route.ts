import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import Router from '@koa/router';
import helmet from 'koa-helmet';
import type { ApiState } from '../http/endpoint';
import { notFound } from '../http/errors/refusals';
import { mediaSources } from '../http/media-sources';
import type { LiveKitSettings } from '../settings';
import { ICON, PAGE } from './page';
import { STYLE } from './style';

const SCRIPT = 'text/javascript; charset=utf-8';

/** The files exist beside this file's source and beside its compiled form. */
const inBrowser = (name: string): string => join(__dirname, 'browser', name);

const SCRIPTS: Readonly<Record<string, string>> = {
  'page.mjs': inBrowser('page.mjs'),
  'api.mjs': inBrowser('api.mjs'),
  'captions.mjs': inBrowser('captions.mjs'),
  'microphone.mjs': inBrowser('microphone.mjs'),
  'problem.mjs': inBrowser('problem.mjs'),
  'session.mjs': inBrowser('session.mjs'),
  'speech.mjs': inBrowser('speech.mjs'),
  'words.mjs': inBrowser('words.mjs'),
  // `require.resolve` yields the bundle for browsers.
  'livekit-client.js': require.resolve('livekit-client'),
};

/**
 * Serves a page to talk to an agent. It needs no authentication: the person enters an API key, and the page uses the public API with it. It loads
 * nothing from other hosts, except the conversation from the media server.
 */
export function playgroundRoutes({ livekit }: { livekit: LiveKitSettings | null }): Router<ApiState> {
  const router = new Router<ApiState>();
  const policy = helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'img-src': ["'self'"],
      'connect-src': ["'self'", ...(livekit === null ? [] : mediaSources(livekit.publicUrl))],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      // The console embeds the page beside the form of an agent.
      'frame-ancestors': ["'self'"],
    },
  });

  router.get('/playground', policy, (ctx) => {
    ctx.set('Permissions-Policy', 'microphone=(self)');
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = PAGE;
  });

  router.get('/playground/page.css', (ctx) => {
    ctx.type = 'text/css; charset=utf-8';
    ctx.body = STYLE;
  });

  router.get('/playground/icon.svg', (ctx) => {
    ctx.type = 'image/svg+xml';
    ctx.body = ICON;
  });

  router.get('/playground/:asset', (ctx) => {
    const asset = ctx.params.asset ?? '';
    const path = Object.hasOwn(SCRIPTS, asset) ? SCRIPTS[asset] : undefined;
    if (path === undefined) throw notFound();
    ctx.type = SCRIPT;
    // The scripts must all be of the same release, so they aren't cached.
    ctx.set('Cache-Control', asset === 'livekit-client.js' ? 'public, max-age=3600' : 'no-cache');
    ctx.body = createReadStream(path);
  });

  return router;
}
