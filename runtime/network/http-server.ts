/** The HTTP server of all processes. If it responds before it has read the whole request, it also closes the connection. */
import {
  type IncomingMessage,
  createServer,
  ServerResponse,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http';
import type { Socket } from 'node:net';

/**
 * How long, and how many bytes, to keep reading (and discarding) a request after the last response. If the server reset the connection
 * right away, the client could lose the response.
 */
export interface Lingering {
  maxBytes: number;
  maxMs: number;
}

export const LINGERING: Lingering = { maxBytes: 16 * 1024 * 1024, maxMs: 5_000 };
const CHECKED_EVERY_MS = 100;

/** Connections on which the last response has begun. */
const ending = new WeakSet<Socket>();

export const isEnding = (socket: Socket): boolean => ending.has(socket);

/** Like Node's `createServer`, but doesn't handle requests that were pipelined behind an unread body. */
export function httpServer(
  answer: RequestListener,
  options: ServerOptions = {},
  lingering: Lingering = LINGERING,
): Server {
  class Response<Request extends IncomingMessage> extends LastResponse<Request> {
    protected override readonly lingering = lingering;
  }
  return createServer({ ...options, ServerResponse: Response }, (request, response) => {
    if (!isEnding(request.socket)) answer(request, response);
  });
}

class LastResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
  protected readonly lingering: Lingering = LINGERING;

  override writeHead(
    status: number,
    message?: string | OutgoingHttpHeaders | OutgoingHttpHeader[],
    headers?: OutgoingHttpHeaders | OutgoingHttpHeader[],
  ): this {
    if (isUnread(this.req)) this.endConnection();
    return typeof message === 'string'
      ? super.writeHead(status, message, headers)
      : super.writeHead(status, message ?? headers);
  }

  private endConnection(): void {
    const { req, lingering } = this;
    ending.add(req.socket);
    this.shouldKeepAlive = false;
    // Node calls this after the last byte of a last response. Node's own version would destroy the connection along with the unread body.
    req.socket.destroySoon = () => {
      req.socket.end();
      req.unpipe();
      req.removeAllListeners('readable').resume();
      endSoon(req.socket, lingering);
    };
  }
}

const isUnread = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

/** Ends our side of the socket and discards incoming data. Destroys the socket if the peer doesn't close it within the limits. */
export function endSoon(socket: Socket, { maxBytes, maxMs }: Lingering = LINGERING): void {
  const last = socket.bytesRead + maxBytes;
  const timeout = setTimeout(() => socket.destroy(), maxMs);
  const check = setInterval(() => {
    if (socket.bytesRead > last) socket.destroy();
  }, CHECKED_EVERY_MS);
  socket.once('close', () => {
    clearTimeout(timeout);
    clearInterval(check);
  });
}

/** Explains why a process can't listen on its port, and which variable to change. */
export function listenFault(cause: unknown, port: number, variable: string): Error {
  return new Error(sentence(cause, port, variable), { cause });
}

function sentence(cause: unknown, port: number, variable: string): string {
  const { code = '', message = String(cause) } = seen(cause);
  if (code === 'EADDRINUSE') return `Port ${port} is already in use. Set ${variable} to a free port`;
  if (code === 'EACCES') return `This user can't open port ${port}. Set ${variable} to a port above 1023`;
  return `Cannot listen on port ${port} (${variable}): ${message}`;
}

/** Checks the shape instead of the class, because Node's errors aren't instances of a sandbox's Error. */
const seen = (cause: unknown): { code?: string; message?: string } =>
  typeof cause === 'object' && cause !== null ? cause : {};
