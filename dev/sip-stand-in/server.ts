import http from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { parsedJson } from '../../domain/json';
import { errorText } from '../error-text';
import { readBody, sendJson } from '../http';
import { TwirpError } from './sip-outcome';

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
    const serve = (bytes: Buffer | null): void => {
      if (bytes === null) return void request.destroy();
      const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
      const { authorization } = request.headers;
      const method = request.method ?? 'GET';
      const answering = handle({ method, path, authorization, body: parsedJson(bytes.toString('utf8')) });
      if (answering === null) {
        proxy.forward(request, bytes, response);
        return;
      }
      answering.catch(answerOf).then(
        (answer) => respond(response, answer),
        () => response.destroy(),
      );
    };
    readBody(request, MAX_BODY_BYTES).then(serve, () => undefined);
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

function respond(response: http.ServerResponse, { status, body }: Answer): void {
  if (response.destroyed) return;
  if (status === null) response.socket?.destroy();
  else sendJson(response, status, body);
}

export class Proxy {
  private readonly agent = new http.Agent({ keepAlive: true });
  private readonly sockets = new Set<Duplex>();
  private readonly host: string;
  private readonly port: number;

  /** `target` is the real server's URL, `http://…`. */
  constructor(target: string) {
    const url = new URL(target);
    this.host = url.hostname;
    this.port = Number(url.port || 80);
  }

  /** `body` is the part of the request that was already read. */
  forward(request: http.IncomingMessage, body: Buffer, response: http.ServerResponse): void {
    const { method, url, headers } = request;
    const { connection: _connection, ...kept } = headers;
    const onward = http.request({
      host: this.host,
      port: this.port,
      method,
      path: url,
      headers: { ...kept, host: `${this.host}:${this.port}` },
      agent: this.agent,
    });
    onward.on('error', () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
    onward.on('response', (answer) => {
      answer.on('error', () => response.destroy());
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    response.on('close', () => onward.destroy());
    onward.end(body);
  }

  upgrade(request: http.IncomingMessage, socket: Duplex, head: Buffer): void {
    const onward = connect(this.port, this.host, () => {
      const lines = [`${request.method} ${request.url} HTTP/1.1`];
      for (let index = 0; index < request.rawHeaders.length; index += 2) {
        lines.push(`${request.rawHeaders[index]}: ${request.rawHeaders[index + 1]}`);
      }
      onward.write(`${lines.join('\r\n')}\r\n\r\n`);
      onward.write(head);
      onward.pipe(socket);
      socket.pipe(onward);
    });
    this.keep(socket, onward);
    this.keep(onward, socket);
  }

  close(): void {
    this.agent.destroy();
    for (const socket of this.sockets) socket.destroy();
  }

  private keep(socket: Duplex, other: Duplex): void {
    this.sockets.add(socket);
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      this.sockets.delete(socket);
      other.destroy();
    });
  }
}
