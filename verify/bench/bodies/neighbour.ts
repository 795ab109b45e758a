import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export interface Asked {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Buffer;
}

export interface Answered {
  status: number;
  bytes: number;
  tookMs: number;
}

/** Asks over connections that it keeps, and reads the answer to its end without keeping it. */
export class HttpCaller {
  private readonly agent = new Agent({ keepAlive: true });

  constructor(private readonly baseUrl: string) {}

  ask({ method, path, headers, body }: Asked): Promise<Answered> {
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'Content-Length': String(body.length) };
      const sent = request(
        `${this.baseUrl}${path}`,
        { method, agent: this.agent, headers: { ...headers, ...length } },
        (response) => {
          let bytes = 0;
          response.on('data', (chunk: Buffer) => (bytes += chunk.length));
          response.once('error', reject);
          response.once('end', () =>
            resolve({ status: response.statusCode ?? 0, bytes, tookMs: performance.now() - startedAt }),
          );
        },
      );
      sent.once('error', reject);
      sent.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

/** Between two requests of the neighbour: none of a body's time falls between them unseen. */
const PAUSE_MS = 2;

/** Another client, which asks for something small all the time. */
export class Neighbour {
  private readonly caller: HttpCaller;

  constructor(
    baseUrl: string,
    private readonly key: string,
  ) {
    this.caller = new HttpCaller(baseUrl);
  }

  /** How long each of its requests took while the work went on. The first began before the work, the last ended after it. */
  async during(work: () => Promise<void>): Promise<number[]> {
    const waits: number[] = [];
    let isOver = false;
    const asking = (async () => {
      for (let isLast = false; !isLast;) {
        isLast = isOver;
        waits.push((await this.caller.ask(this.small())).tookMs);
        await delay(PAUSE_MS);
      }
    })();
    try {
      await work();
    } finally {
      isOver = true;
      await asking;
    }
    return waits;
  }

  close(): void {
    this.caller.close();
  }

  private small(): Asked {
    return { method: 'GET', path: '/api/limits', headers: { 'X-API-Key': this.key } };
  }
}
