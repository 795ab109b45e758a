/** Relays the carrier's events to the API. It can delay an event and send it twice. */
import http from 'node:http';
import { once } from 'node:events';
import type { Random } from '../random';

const LOOPBACK = '127.0.0.1';
/** Longer than calls ring or talk, but shorter than the carrier's timeout. */
const HELD_BACK_MS = 1_500;
const REPEATED_WITHIN_MS = 3_000;

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
