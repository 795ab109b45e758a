import http from 'node:http';
import { isoOf, type Clock } from './clock';
import type { SimulatorLog } from './log';
import type { Answer, Route } from './routes';

const MAX_BODY_BYTES = 1024 * 1024;

export interface ServerOptions {
  clock: Clock;
  log: SimulatorLog;
  route: Route;
}

/** The routes' HTTP server. It reads the body, writes the log entry and then responds. */
export function createCarrierServer({ clock, log, route }: ServerOptions): http.Server {
  return http.createServer((request, response) => {
    readBody(request, (text) => {
      const atMs = clock.nowMs();
      const method = request.method ?? 'GET';
      const url = new URL(`http://carrier${targetOf(request)}`);
      const answer: Answer =
        text === null
          ? { status: 413, body: { placed: false, code: 'TOO_LARGE' } }
          : route({ method, url, authorization: request.headers.authorization, body: parseJson(text), atMs });
      log.write({
        kind: 'request',
        at: isoOf(atMs),
        method,
        path: url.pathname,
        status: answer.status,
        ...answer.noted,
      });
      // The platform checks `not_after` against this header, so it uses the simulator's clock.
      response.setHeader('date', new Date(clock.nowMs()).toUTCString());
      respond(response, answer);
    });
  });
}

/** Treats a target that isn't a path (`*`, or an absolute URL) as an unknown path. */
function targetOf(request: http.IncomingMessage): string {
  const target = request.url ?? '/';
  return target.startsWith('/') && URL.canParse(`http://carrier${target}`) ? target : '/';
}

/** Passes null if the body is too large. Doesn't call back if the client drops the connection. */
function readBody(request: http.IncomingMessage, done: (text: string | null) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  });
  request.on('end', () => done(bytes <= MAX_BODY_BYTES ? Buffer.concat(chunks).toString('utf8') : null));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function respond(response: http.ServerResponse, { status, body }: Answer): void {
  if (status === null) {
    response.socket?.destroy();
    return;
  }
  if (body === undefined) {
    response.writeHead(status).end();
    return;
  }
  const text = JSON.stringify(body);
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text);
}
