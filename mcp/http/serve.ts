/** Serves MCP over streamable HTTP. Each request carries its API key and is handled by a server with the tools that the key allows. */
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { httpServer } from '../../runtime/network/http-server';
import { Shares, type ShareLimits } from '../../runtime/shares';
import { ApiError } from '../../sdk/typescript';
import { hashOfKey } from '../confirmations';
import { failureCode, failureText } from '../failure-text';
import { serverFor, type ServerOptions } from '../server';
import { MAX_BODY_BYTES, Sessions } from './sessions';

const PATH = '/mcp';
/** Limits in bytes for all request bodies that are read or handled concurrently, in total and per key. */
const BODY_SHARES: ShareLimits = { max: 128 * 1024 * 1024, maxPerOwner: 3 * MAX_BODY_BYTES };
/** Time limit for a whole request. */
const REQUEST_MS = 60_000;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

interface HttpOptions extends ServerOptions {
  host: string;
  /** 0 picks any free port. */
  port: number;
  allowedHosts: readonly string[];
}

interface Serving {
  port: number;
  /** Stops accepting requests and lets running ones finish. */
  close(): Promise<void>;
}

export async function serve(options: HttpOptions): Promise<Serving> {
  const bodies = new Shares(BODY_SHARES);
  const sessions = new Sessions();
  const listener: RequestListener = (request, response) => {
    answer(request, response, { ...options, bodies, sessions }).catch((error: unknown) => {
      options.log.error({ error: failureCode(error) }, 'request failed');
      if (response.headersSent) response.destroy();
      else reject(response, 500, 'The request failed.');
    });
  };
  const http = httpServer(listener, { requestTimeout: REQUEST_MS });
  http.listen(options.port, options.host);
  await once(http, 'listening');
  const address = http.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    close: async () => {
      http.close();
      await sessions.close();
      http.closeIdleConnections();
      await once(http, 'close');
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpOptions & { bodies: Shares; sessions: Sessions },
): Promise<void> {
  const { headers, method, url = '' } = request;
  if (!isAdmitted(headers, options.allowedHosts))
    return reject(response, 403, 'Host or Origin is not allowed. Add it to MCP_ALLOWED_HOSTS.');
  if (url.split('?')[0] !== PATH) return reject(response, 404, `Not found: the MCP endpoint is ${PATH}.`);
  const sessionId = headers['mcp-session-id'];
  // Questions are sent on the stream of their tool call, so clients need no separate stream.
  if (method !== 'POST' && !(method === 'DELETE' && sessionId !== undefined))
    return reject(response, 405, 'Only POST is allowed.', { Allow: 'POST' });
  const key = bearerKey(headers.authorization);
  if (key === null)
    return reject(response, 401, 'An API key is required: send Authorization: Bearer <key>.', {
      'WWW-Authenticate': 'Bearer',
    });
  const keyHash = hashOfKey(key);
  const session = sessionId === undefined ? undefined : options.sessions.find(String(sessionId), keyHash);
  if (sessionId !== undefined && session === undefined)
    return reject(response, 404, 'The session does not exist or has ended. Initialize again.');
  // A session starts with a valid key, and its tools check the key again.
  const server =
    session === undefined
      ? await serverFor(key, options).catch((error: unknown) => rejectKey(response, error))
      : null;
  if (session === undefined && server === null) return;
  const units = Math.min(MAX_BODY_BYTES, Number(headers['content-length'] ?? Infinity));
  const release = options.bodies.take(keyHash, { units });
  if (release === null) {
    await server?.close();
    return reject(response, 503, 'Too many requests are being handled at once. Retry in 5 s.', {
      'Retry-After': '5',
    });
  }
  response.on('close', release);
  if (server === null) return await session?.handleRequest(request, response);
  const text = await textOf(request);
  if (text === null) {
    await server.close();
    return reject(response, 413, `The request body must have at most ${MAX_BODY_BYTES} bytes.`);
  }
  const body = parsed(text);
  if (body === undefined) {
    await server.close();
    return reject(response, 400, 'The body is not JSON.');
  }
  if (isInitializeRequest(body) && body.params.capabilities.elicitation !== undefined) {
    const transport = options.sessions.begin(keyHash);
    await server.connect(transport);
    return await transport.handleRequest(request, response, body);
  }
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on('close', () => void server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response, body);
}

/** Returns null if the body is too large. */
async function textOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // By default, the iterator would destroy the connection and the client wouldn't get the 413.
  const read: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  for await (const chunk of read) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function rejectKey(response: ServerResponse, error: unknown): null {
  const status = error instanceof ApiError ? error.status : 503;
  reject(response, status, failureText(error), status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {});
  return null;
}

function reject(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): void {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null });
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(body);
}

/**
 * Returns true if `Host` names this machine or a host in `allowed`, and so does `Origin` if a browser sent one. Names in `allowed` are
 * lower-case, and ports are ignored. Prevents DNS rebinding, where a web page points its own domain at 127.0.0.1.
 */
export function isAdmitted(
  { host, origin }: Pick<IncomingHttpHeaders, 'host' | 'origin'>,
  allowed: readonly string[],
): boolean {
  const names = [...LOOPBACK, ...allowed];
  const isNamed = (address: string): boolean =>
    URL.canParse(address) && names.includes(new URL(address).hostname);
  return isNamed(`http://${host ?? ''}`) && (origin === undefined || isNamed(origin));
}

/** Returns the key of `Authorization: Bearer <key>`, or null if there is none. */
export const bearerKey = (authorization: string | undefined): string | null =>
  /^Bearer +([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1] ?? null;
