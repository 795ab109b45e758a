/** The HTTP server around the app: timeouts, responses to malformed HTTP, and shutdown. */
import { once } from 'node:events';
import { type RequestListener, type Server, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { endSoon, httpServer, isEnding, LINGERING, type Lingering } from '../../runtime/network/http-server';
import { RECORDING_UPLOAD_MS } from '../../domain/recording';
import type { ApiError } from './errors/api-error';
import { errorCode } from '../../db/kernel/error-code';
import { headersTooLarge, malformedRequest, requestTimedOut } from './errors/refusals';
import { rawAnswer } from './errors/answer';

interface ServerLimits {
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  idleMs: number;
  /** Longest pause within a request during which no bytes move in either direction. */
  stallMs: number;
  /** How often timeouts are checked. */
  checkedEveryMs: number;
  /** How long to keep reading after a response that closes the connection. */
  lingering: Lingering;
}

const LIMITS: ServerLimits = {
  // Keeps a client from holding a connection by sending headers slowly.
  headersTimeoutMs: 15_000,
  // Node has a single limit for whole requests, so it must allow the largest one: a recording upload.
  requestTimeoutMs: RECORDING_UPLOAD_MS,
  // Load balancers keep a connection for 60 s. This must be longer, so that we don't close a connection that has just received a request.
  idleMs: 65_000,
  // Longer than any response takes. A client that stops reading a long response is disconnected after this time.
  stallMs: 60_000,
  checkedEveryMs: 5_000,
  lingering: LINGERING,
};
const MAX_HEADER_BYTES = 16 * 1024;

/** Grace period for idle connections when the server closes, because a request may be on its way. */
const LAST_REQUEST_MS = 250;

export class ApiServer {
  readonly http: Server;
  private readonly sockets = new Set<Socket>();
  /** Requests in progress, by connection. Idle connections have no entry. */
  private readonly busy = new Map<Duplex, number>();
  private readonly rejected = new WeakSet<Duplex>();
  private readonly lingering: Lingering;

  constructor(answer: RequestListener, limits: Partial<ServerLimits> = {}, upgrades: Upgrades | null = null) {
    const { headersTimeoutMs, requestTimeoutMs, idleMs, stallMs, checkedEveryMs, lingering } = {
      ...LIMITS,
      ...limits,
    };
    this.lingering = lingering;
    this.http = httpServer(
      (request, response) => {
        this.begin(request.socket);
        response.once('close', () => this.end(request.socket));
        answer(request, response);
      },
      {
        headersTimeout: headersTimeoutMs,
        requestTimeout: requestTimeoutMs,
        keepAliveTimeout: idleMs,
        connectionsCheckingInterval: checkedEveryMs,
        maxHeaderSize: MAX_HEADER_BYTES,
        ...(upgrades && { IncomingMessage: requestClass(upgrades.takes) }),
      },
      lingering,
    );
    this.http.timeout = stallMs;
    if (upgrades !== null)
      this.http.on('upgrade', (request, socket, head) => {
        if (isEnding(request.socket)) socket.destroy();
        else upgrades.take(request, socket, head);
      });
    this.http.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    this.http.on('clientError', (error, socket) => this.rejectMalformed(error, socket));
  }

  /**
   * Refuses new connections, lets busy ones finish their response and closes all others. Node itself would keep connections that never sent
   * a request, and those whose last response promised keep-alive.
   */
  async close(): Promise<void> {
    const end = once(this.http, 'close');
    this.http.close();
    this.http.closeIdleConnections();
    const sweep = setInterval(() => this.endIdle(), LAST_REQUEST_MS);
    await end;
    clearInterval(sweep);
  }

  private endIdle(): void {
    for (const socket of this.sockets) if (!this.busy.has(socket)) socket.destroy();
  }

  private begin(socket: Duplex): void {
    this.busy.set(socket, (this.busy.get(socket) ?? 0) + 1);
  }

  private end(socket: Duplex): void {
    const left = (this.busy.get(socket) ?? 1) - 1;
    if (left > 0) this.busy.set(socket, left);
    else this.busy.delete(socket);
  }

  /**
   * Responds to bytes that aren't a valid HTTP request. If another response is in progress, closes the connection instead. Later errors are
   * ignored, because the parser fails again for everything that arrives afterwards.
   */
  private rejectMalformed(error: Error, socket: Duplex): void {
    if (this.rejected.has(socket)) return;
    if (!(socket instanceof Socket) || !socket.writable || this.busy.has(socket)) {
      socket.destroy(error);
      return;
    }
    this.rejected.add(socket);
    socket.end(rawAnswer(refusalOf(error)));
    endSoon(socket, this.lingering);
  }
}

function refusalOf(error: Error): ApiError {
  const code = errorCode(error);
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge(MAX_HEADER_BYTES);
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? requestTimedOut() : malformedRequest(error);
}

/** Handles requests for another protocol. */
export interface Upgrades {
  takes: (url: string) => boolean;
  /** Takes over the socket, even if it then rejects the request. */
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/**
 * Returns a request class whose `upgrade` is true only for paths that `takes` accepts. Node would otherwise drop the bodies of all other
 * upgrade requests, but some clients offer HTTP/2 with every request and expect a normal response. Node 24 has an option for this.
 */
function requestClass(takes: Upgrades['takes']): typeof IncomingMessage {
  return class extends IncomingMessage {
    declare private asksForUpgrade: boolean | null;

    set upgrade(asks: boolean | null) {
      this.asksForUpgrade = asks;
    }

    get upgrade(): boolean | null {
      return this.asksForUpgrade === true && takes(this.url ?? '');
    }
  };
}
