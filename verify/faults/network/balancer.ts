import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

const LOOPBACK = '127.0.0.1';

/**
 * Plain TCP balancer that rotates through the targets. It reads no requests and has no health checks: it skips a target that refuses a
 * connection, but not one that accepts connections and stalls.
 */
export class Balancer {
  private readonly pairs = new Map<Socket, Socket>();
  private turn = 0;

  private constructor(
    private readonly server: Server,
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
