/** A TCP proxy between the service and a server. It forwards everything, stops responding, or refuses connections. */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

export type GateState = 'open' | 'silent' | 'shut';

export class Gate {
  private readonly pairs = new Set<[near: Socket, far: Socket]>();
  private readonly held = new Set<Socket>();
  private server: Server | null = null;
  private state: GateState = 'open';
  private port = 0;

  private constructor(private readonly target: { host: string; port: number }) {}

  static async open(target: { host: string; port: number }): Promise<Gate> {
    const gate = new Gate(target);
    await gate.listen();
    return gate;
  }

  get address(): { host: string; port: number } {
    return { host: '127.0.0.1', port: this.port };
  }

  /**
   * In `silent`, open connections stay open without receiving anything, and new ones are accepted but not
   * answered.
   */
  async set(state: GateState): Promise<void> {
    this.state = state;
    for (const [near, far] of this.pairs) {
      if (state === 'shut') near.destroy();
      else if (state === 'silent') [near, far].forEach((socket) => socket.unpipe().pause());
      else near.pipe(far).pipe(near);
    }
    for (const socket of this.held) socket.destroy();
    if (state === 'shut') await this.unlisten();
    else if (this.server === null) await this.listen();
  }

  async close(): Promise<void> {
    await this.set('shut');
  }

  private async listen(): Promise<void> {
    this.server = createServer((near) => this.take(near));
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    const address = this.server.address();
    if (typeof address === 'object' && address !== null) this.port = address.port;
  }

  private async unlisten(): Promise<void> {
    const { server } = this;
    this.server = null;
    if (server === null) return;
    server.close();
    await once(server, 'close');
  }

  private take(near: Socket): void {
    near.on('error', () => undefined);
    if (this.state === 'silent') {
      this.held.add(near);
      near.once('close', () => this.held.delete(near));
      return;
    }
    const far = connect(this.target.port, this.target.host);
    const pair: [Socket, Socket] = [near, far];
    this.pairs.add(pair);
    far.on('error', () => near.destroy());
    near.once('close', () => {
      this.pairs.delete(pair);
      far.destroy();
    });
    far.once('close', () => near.destroy());
    near.pipe(far).pipe(near);
  }
}
