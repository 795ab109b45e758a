import http from 'node:http';
import { errorText } from '../error-text';
import type { Proxy } from './proxy';
import { TwirpError } from './twirp';

/** `status: null` cuts the connection instead of sending a response. */
export interface Answer {
  status: number | null;
  body: unknown;
}

/** Returns null for requests that must be forwarded to the real server. */
export type Handler = (request: {
  method: string;
  path: string;
  authorization: string | undefined;
  body: unknown;
}) => Promise<Answer> | null;

const MAX_BODY_BYTES = 8 * 1024 * 1024;

export function createStandInServer(handle: Handler, proxy: Proxy): http.Server {
  const server = http.createServer((request, response) => {
    readBody(request, (bytes) => {
      const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
      const { authorization } = request.headers;
      const method = request.method ?? 'GET';
      const answering = handle({ method, path, authorization, body: parseJson(bytes.toString('utf8')) });
      if (answering === null) {
        proxy.forward(request, bytes, response);
        return;
      }
      answering.catch(answerOf).then(
        (answer) => respond(response, answer),
        () => response.destroy(),
      );
    });
  });
  server.on('upgrade', (request, socket, head) => proxy.upgrade(request, socket, head));
  // The request stays open while the call rings, up to the call's ring timeout.
  server.requestTimeout = 0;
  return server;
}

function answerOf(error: unknown): Answer {
  if (error instanceof TwirpError) return { status: error.status, body: error.body };
  console.error(`sip stand-in: ${errorText(error)}`);
  const fault = new TwirpError('internal', errorText(error));
  return { status: fault.status, body: fault.body };
}

function readBody(request: http.IncomingMessage, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('error', () => undefined);
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) request.destroy();
    else chunks.push(chunk);
  });
  request.on('end', () => done(Buffer.concat(chunks)));
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
  if (response.destroyed) return;
  if (status === null) {
    response.socket?.destroy();
    return;
  }
  const text = JSON.stringify(body);
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text);
}
