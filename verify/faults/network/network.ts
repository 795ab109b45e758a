import { once } from 'node:events';
import http from 'node:http';
import { connect, createServer, type Server as TcpServer, type Socket } from 'node:net';
import type { LinkName, ProcessName } from '../plan/faults';
import type { Random } from '../random';
import { Link } from './link';

const LOOPBACK = '127.0.0.1';

/**
 * Plain TCP balancer that rotates through the targets. It reads no requests and has no health checks: it skips a target that refuses a
 * connection, but not one that accepts connections and stalls.
 */
export class Balancer {
  private readonly pairs = new Map<Socket, Socket>();
  private turn = 0;

  private constructor(
    private readonly server: TcpServer,
    readonly port: number,
    private readonly targetPorts: readonly number[],
  ) {}

  /** @throws Error if the port is in use */
  static async open(port: number, targetPorts: readonly number[]): Promise<Balancer> {
    const server = createServer();
    server.listen(port, LOOPBACK);
    await once(server, 'listening');
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the balancer has no port');
    const balancer = new Balancer(server, address.port, targetPorts);
    server.on('connection', (client) => void balancer.join(client));
    return balancer;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const [client, target] of this.pairs) {
      client.destroy();
      target.destroy();
    }
    await closed;
  }

  private async join(client: Socket): Promise<void> {
    client.on('error', () => undefined);
    // Data that arrives before the pipe is set up waits in the socket, because nothing reads it.
    const first = this.turn++;
    for (let nth = 0; nth < this.targetPorts.length; nth += 1) {
      const target = await connected(this.targetPorts[(first + nth) % this.targetPorts.length] ?? 0);
      if (target !== null) return this.pair(client, target);
    }
    client.resetAndDestroy();
  }

  private pair(client: Socket, target: Socket): void {
    if (client.destroyed) return void target.destroy();
    this.pairs.set(client, target);
    target.on('error', () => undefined);
    for (const socket of [client, target]) socket.setNoDelay(true);
    client.on('close', () => {
      this.pairs.delete(client);
      target.destroy();
    });
    target.on('close', () => client.destroy());
    client.pipe(target);
    target.pipe(client);
  }
}

/** Null if the port refuses the connection. */
function connected(port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const target = connect(port, LOOPBACK);
    target.once('error', () => resolve(null));
    target.once('connect', () => resolve(target));
  });
}

/** Longer than calls ring or talk, but shorter than the carrier's timeout. */
const HELD_BACK_MS = 1_500;
const REPEATED_WITHIN_MS = 3_000;

/** Relays the carrier's events to the API. It can delay an event and send it twice. */
export class EventRelay {
  private isShuffling = false;
  private readonly agent = new http.Agent({ keepAlive: true });
  private readonly timers = new Set<NodeJS.Timeout>();

  private constructor(
    private readonly server: http.Server,
    readonly port: number,
    private readonly targetPort: number,
    private readonly random: Random,
  ) {}

  static async open(targetPort: number, random: Random): Promise<EventRelay> {
    const server = http.createServer();
    server.listen(0, LOOPBACK);
    await once(server, 'listening');
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the event relay has no port');
    const relay = new EventRelay(server, address.port, targetPort, random);
    server.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
      relay.take(request, response);
    });
    return relay;
  }

  shuffle(on: boolean): void {
    this.isShuffling = on;
  }

  async close(): Promise<void> {
    for (const timer of this.timers) clearTimeout(timer);
    this.agent.destroy();
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private take(request: http.IncomingMessage, response: http.ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      if (!this.isShuffling) {
        this.forward(request, body, response);
        return;
      }
      this.later(this.random.next() * HELD_BACK_MS, () => this.forward(request, body, response));
      this.later(this.random.next() * REPEATED_WITHIN_MS, () => this.forward(request, body, null));
    });
  }

  /** Forwards a request to the API. Without `response`, it is a repetition, and the API's response is dropped. */
  private forward(request: http.IncomingMessage, body: Buffer, response: http.ServerResponse | null): void {
    const { method, url, headers } = request;
    const { connection: _connection, ...kept } = headers;
    const onward = http.request({
      host: LOOPBACK,
      port: this.targetPort,
      method,
      path: url,
      headers: { ...kept, host: `${LOOPBACK}:${this.targetPort}` },
      agent: this.agent,
    });
    onward.on('error', () => response?.socket?.resetAndDestroy());
    onward.on('response', (answer) => {
      answer.on('error', () => response?.socket?.resetAndDestroy());
      if (response === null) {
        answer.resume();
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.end(body);
  }

  private later(delayMs: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      run();
    }, delayMs);
    this.timers.add(timer);
  }
}

type Server = 'postgres' | 'temporal' | 'carrier' | 'receiver' | 'api';

/** Port that each link forwards to, by the process that listens there. */
type Ports = Record<Server, number>;

export class Network {
  private constructor(
    private readonly links: ReadonlyMap<LinkName, Link>,
    private readonly isBalanced: boolean,
  ) {}

  /** With `isBalanced`, the link to the API leads to a balancer, which survives the death of an API process. */
  static async open(names: readonly LinkName[], ports: Ports, isBalanced: boolean): Promise<Network> {
    const links = new Map<LinkName, Link>();
    for (const name of names) links.set(name, await Link.open(ports[serverOf(name)]));
    return new Network(links, isBalanced);
  }

  link(name: LinkName): Link {
    const link = this.links.get(name);
    if (link === undefined) throw new Error(`there is no link ${name}`);
    return link;
  }

  port(name: LinkName): number {
    return this.link(name).port;
  }

  host(name: LinkName): string {
    return this.link(name).host;
  }

  /** Returns the links to a process. A dead process refuses connections, so its proxies must refuse them too. */
  towards(process: ProcessName): Link[] {
    if (process === 'api' && this.isBalanced) return [];
    const server = process === 'simulator' ? 'carrier' : process;
    return [...this.links].flatMap(([name, link]) => (serverOf(name) === server ? [link] : []));
  }

  async heal(): Promise<void> {
    for (const link of this.links.values()) {
      link.loseNoMore();
      await link.heal();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.links.values()].map((link) => link.close()));
  }
}

function serverOf(link: LinkName): Server {
  if (link === 'worker-receiver') return 'receiver';
  if (link === 'carrier-api') return 'api';
  if (link.endsWith('-postgres')) return 'postgres';
  return link.endsWith('-temporal') ? 'temporal' : 'carrier';
}
