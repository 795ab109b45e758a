import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Proxy in front of Postgres. It can cut connections, or drop everything that follows a given word. */
export class PostgresProxy {
  private readonly pairs: { client: Socket; server: Socket }[] = [];
  private silenceWord: string | null = null;
  /** Data that clients sent while the proxy dropped everything, without the word itself. */
  readonly undelivered: string[] = [];
  private constructor(
    private readonly listener: Server,
    readonly url: string,
  ) {}

  static async open(target: string): Promise<PostgresProxy> {
    const { hostname, port } = new URL(target);
    const listener = createServer();
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const address = listener.address();
    const url = new URL(target);
    url.hostname = '127.0.0.1';
    url.port = String(typeof address === 'object' ? address?.port : '');
    const proxy = new PostgresProxy(listener, url.toString());
    listener.on('connection', (client) => proxy.join(client, connect(Number(port), hostname)));
    return proxy;
  }

  silenceAfter(word: string): void {
    this.silenceWord = word;
  }

  speak(): void {
    this.silenceWord = null;
  }

  cut(): void {
    for (const { client, server } of this.pairs) {
      client.destroy();
      server.destroy();
    }
  }

  close(): void {
    this.cut();
    this.listener.close();
  }

  private join(client: Socket, server: Socket): void {
    this.pairs.push({ client, server });
    let isSilent = false;
    for (const socket of [client, server]) socket.on('error', () => undefined);
    client.on('data', (chunk) => {
      if (isSilent) this.undelivered.push(chunk.toString());
      if (this.silenceWord !== null && chunk.includes(this.silenceWord)) isSilent = true;
      if (!isSilent) server.write(chunk);
    });
    server.on('data', (chunk) => {
      if (!isSilent) client.write(chunk);
    });
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  }
}
