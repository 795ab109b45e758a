import { Agent, request } from 'node:http';

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

/** Keeps its connections open, reads each response to its end and discards it. */
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
