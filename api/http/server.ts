/** The HTTP server around the app: how long a client may take, what it is answered when it does not speak HTTP, and how all of it ends. */
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { endSoon, httpServer, isEnding, LINGERING, type Lingering } from '../../runtime/network/http-server';
import { RECORDING_UPLOAD_MS } from '../../domain/recording';
import type { ApiError } from './errors/api-error';
import { errorCode } from '../../db/kernel/error-code';
import { headersTooLarge, malformedRequest, requestTimedOut } from './errors/refusals';
import { rawAnswer } from './errors/raw-answer';
import { requestClass, type Upgrades } from './upgrades';

export interface ServerLimits {
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  idleMs: number;
  /** Within a request: while nothing arrives and nothing is taken. */
  standstillMs: number;
  /** How often it is looked whose time is up. */
  checkedEveryMs: number;
  /** How long a connection is read after an answer that ends it. */
  lingering: Lingering;
}

const LIMITS: ServerLimits = {
  // A client that dribbles a header a minute holds a connection no longer than this.
  headersTimeoutMs: 15_000,
  // Of a whole request: a recording is the largest that there is, and Node has one limit for all.
  requestTimeoutMs: RECORDING_UPLOAD_MS,
  // Longer than the minute for which load balancers keep a connection: one that we end first may just have been given a request.
  idleMs: 65_000,
  // Longer than any answer is waited for. A client that takes nothing of a long one holds what is written of it, and no more.
  standstillMs: 60_000,
  checkedEveryMs: 5_000,
  lingering: LINGERING,
};
const MAX_HEADER_BYTES = 16 * 1024;

/** How long a connection without a request may live on once the server closes: one may be on its way. */
const LAST_REQUEST_MS = 250;

export class ApiServer {
  readonly http: Server;
  private readonly sockets = new Set<Socket>();
  /** How many requests of a connection are not answered to their end yet; none of those that are idle. */
  private readonly busy = new Map<Duplex, number>();
  private readonly refused = new WeakSet<Duplex>();
  private readonly lingering: Lingering;

  constructor(answer: RequestListener, limits: Partial<ServerLimits> = {}, upgrades: Upgrades | null = null) {
    const { headersTimeoutMs, requestTimeoutMs, idleMs, standstillMs, checkedEveryMs, lingering } = {
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
    this.http.timeout = standstillMs;
    if (upgrades !== null)
      this.http.on('upgrade', (request, socket, head) => {
        if (isEnding(request.socket)) socket.destroy();
        else upgrades.take(request, socket, head);
      });
    this.http.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    this.http.on('clientError', (error, socket) => this.refuse(error, socket));
  }

  /**
   * New connections are refused, busy ones end after their answer, the others at once: also those that never sent a request, and those
   * whose last answer had promised to keep them. Node ends neither by itself.
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
   * Answers what never becomes a request of the app. In the middle of another answer the connection is cut. The parser fails again for
   * everything that arrives after the refusal, and these errors are ignored.
   */
  private refuse(error: Error, socket: Duplex): void {
    if (this.refused.has(socket)) return;
    if (!(socket instanceof Socket) || !socket.writable || this.busy.has(socket)) {
      socket.destroy(error);
      return;
    }
    this.refused.add(socket);
    socket.end(rawAnswer(refusalOf(error)));
    endSoon(socket, this.lingering);
  }
}

function refusalOf(error: Error): ApiError {
  const code = errorCode(error);
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge();
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? requestTimedOut() : malformedRequest(error);
}
