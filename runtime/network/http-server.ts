/** The HTTP servers of all processes. An answer that goes out before its request was read to the end also ends the connection. */
import type { IncomingMessage } from 'node:http';
import {
  createServer,
  ServerResponse,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http';
import type { Socket } from 'node:net';

/** How much of a connection is read and dropped after its last answer. A reset in place of this could cost the client the answer. */
export interface Lingering {
  mostBytes: number;
  mostMs: number;
}

export const LINGERING: Lingering = { mostBytes: 16 * 1024 * 1024, mostMs: 5_000 };
const LOOKED_AT_EVERY_MS = 100;

/** Connections whose last answer has begun. */
const ending = new WeakSet<Socket>();

export const isEnding = (socket: Socket): boolean => ending.has(socket);

/** As `createServer` of Node. Requests that were pipelined behind an unread body are not handled. */
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
    // Node calls this after the last byte of a last answer. Its own version destroys the connection with the unread body in it.
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

/** Destroys a connection that the client does not close within the bounds. The caller has ended our side of it and drops what arrives. */
export function endSoon(socket: Socket, { mostBytes, mostMs }: Lingering = LINGERING): void {
  const last = socket.bytesRead + mostBytes;
  const timeout = setTimeout(() => socket.destroy(), mostMs);
  const look = setInterval(() => {
    if (socket.bytesRead > last) socket.destroy();
  }, LOOKED_AT_EVERY_MS);
  socket.once('close', () => {
    clearTimeout(timeout);
    clearInterval(look);
  });
}
