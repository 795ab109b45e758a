import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { CutKind, LossKind } from '../plan/faults';

/** Page of an HTTP proxy that gave up waiting for its server, although the server may have received the request. */
const PAGE = '<html><h1>503 Service Unavailable</h1></html>';
const PROXY_ANSWER = [
  'HTTP/1.1 503 Service Unavailable',
  'Content-Type: text/html',
  `Content-Length: ${PAGE.length}`,
  'Connection: close',
  '',
  PAGE,
].join('\r\n');

const LOOPBACK = '127.0.0.1';

interface Pair {
  client: Socket;
  server: Socket;
  /** Drops all bytes in both directions. */
  isSilent: boolean;
  /** The client has sent data since responses began to get lost. */
  hasAsked: boolean;
}

/** Network link between two processes. It is a proxy that can be cut, silenced and healed, and that can lose responses. */
export class Link {
  private readonly pairs = new Set<Pair>();
  private listener: Server | null = null;
  private state: 'open' | CutKind = 'open';
  private answersToLose = 0;
  private losesAs: LossKind = 'reset';

  private constructor(
    private targetPort: number,
    private ownPort: number,
  ) {}

  /** A `targetPort` of 0 is set later with `leadTo`. */
  static async open(targetPort = 0): Promise<Link> {
    const link = new Link(targetPort, 0);
    await link.listen();
    return link;
  }

  get port(): number {
    return this.ownPort;
  }

  get host(): string {
    return `${LOOPBACK}:${this.ownPort}`;
  }

  leadTo(targetPort: number): void {
    this.targetPort = targetPort;
  }

  async cut(how: CutKind): Promise<void> {
    this.state = how;
    if (how === 'silence') {
      for (const pair of this.pairs) pair.isSilent = true;
      return;
    }
    await this.stopListening();
    this.reset();
  }

  /** Resets connections that went silent. Bytes sent while the link was silent never arrive. */
  async heal(): Promise<void> {
    const was = this.state;
    this.state = 'open';
    if (was === 'silence') this.reset();
    await this.listen();
  }

  /** Drops the next responses after the server has read the whole request, and ends their connections as `how` defines. */
  loseAnswers(count: number, how: LossKind = 'reset'): void {
    this.answersToLose = count;
    this.losesAs = how;
    for (const pair of this.pairs) pair.hasAsked = false;
  }

  /** Stops losing responses. Returns how many were still to be lost. */
  loseNoMore(): number {
    const left = this.answersToLose;
    this.answersToLose = 0;
    return left;
  }

  async close(): Promise<void> {
    const closed = this.stopListening();
    this.reset();
    await closed;
  }

  private reset(): void {
    for (const { client, server } of this.pairs) {
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
    this.pairs.clear();
  }

  /** Listens on the same port again after a cut. Retries, because an outgoing connection may hold the port briefly. */
  private async listen(): Promise<void> {
    for (let attempt = 1; this.listener === null; attempt += 1) {
      const listener = createServer((client) => this.join(client));
      try {
        listener.listen(this.ownPort, LOOPBACK);
        await once(listener, 'listening');
        this.listener = listener;
      } catch (error) {
        if (attempt === 50) throw error;
        await delay(100);
      }
    }
    const address = this.listener.address();
    if (typeof address === 'object' && address !== null) this.ownPort = address.port;
  }

  private async stopListening(): Promise<void> {
    const listener = this.listener;
    this.listener = null;
    if (listener === null) return;
    const closed = once(listener, 'close');
    listener.close();
    this.reset();
    await closed;
  }

  private join(client: Socket): void {
    const server = connect(this.targetPort, LOOPBACK);
    const pair: Pair = { client, server, isSilent: this.state === 'silence', hasAsked: false };
    this.pairs.add(pair);
    client.setNoDelay(true);
    server.setNoDelay(true);
    for (const socket of [client, server]) socket.on('error', () => undefined);
    client.on('data', (chunk) => {
      if (pair.isSilent) return;
      pair.hasAsked = true;
      server.write(chunk);
    });
    server.on('data', (chunk) => {
      if (pair.isSilent) return;
      if (this.answersToLose > 0 && pair.hasAsked) this.loseAnswer(pair);
      else client.write(chunk);
    });
    client.on('close', () => this.part(pair, server));
    server.on('close', () => this.part(pair, client));
  }

  private loseAnswer(pair: Pair): void {
    this.answersToLose -= 1;
    pair.isSilent = true;
    if (this.losesAs === 'page') pair.client.end(PROXY_ANSWER);
    else pair.client.resetAndDestroy();
  }

  /** Closes the other side when one side ends. A silent link doesn't pass the end on. */
  private part(pair: Pair, other: Socket): void {
    if (pair.isSilent && this.state === 'silence') return;
    this.pairs.delete(pair);
    other.destroy();
  }
}
