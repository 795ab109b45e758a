/** A server with OpenAI's speech interface that responds only when the test releases a response. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { speechOf } from '../../../dev/model-stand-in/speech';

const RATE = 24_000;
/** Speaks faster than people do, because tests wait until the speech has been played. */
const SPEED = 4;

export class HeldVoice {
  /** The requested words, in order. */
  readonly requested: string[] = [];
  /** Number of connections opened to the server. */
  connections = 0;
  private readonly pending: { words: string; response: ServerResponse }[] = [];
  private readonly waiters = new Set<() => void>();
  private readonly server: Server = createServer();

  static async open(): Promise<HeldVoice> {
    const voice = new HeldVoice();
    voice.server.on('connection', () => (voice.connections += 1));
    voice.server.on('request', (request, response) => {
      // The agent opens a connection before its first request.
      if (request.method === 'GET') return void response.writeHead(404).end();
      void text(request).then((body) => {
        const words = String((JSON.parse(body) as { input: unknown }).input);
        voice.requested.push(words);
        voice.pending.push({ words, response });
        for (const check of [...voice.waiters]) check();
      });
    });
    voice.server.listen(0, '127.0.0.1');
    await once(voice.server, 'listening');
    return voice;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** Responds to the oldest waiting request. Waits for one if there is none. */
  async say(): Promise<void> {
    const { words, response } = await this.next();
    response.writeHead(200, { 'Content-Type': 'audio/pcm' });
    response.end(Buffer.from(speechOf(words, RATE, SPEED).buffer));
  }

  async reject(status: number): Promise<void> {
    const { response } = await this.next();
    response
      .writeHead(status, { 'Content-Type': 'application/json' })
      .end('{"error":{"message":"no","type":"stand_in"}}');
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  async untilRequested(words: string): Promise<void> {
    while (!this.requested.includes(words)) await this.arrival();
  }

  private async next(): Promise<{ words: string; response: ServerResponse }> {
    for (;;) {
      const first = this.pending.shift();
      if (first !== undefined) return first;
      await this.arrival();
    }
  }

  private arrival(): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        this.waiters.delete(check);
        resolve();
      };
      this.waiters.add(check);
    });
  }
}
