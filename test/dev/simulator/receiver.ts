import http from 'node:http';
import type { AddressInfo } from 'node:net';

interface ReceivedEvent {
  authorization: string | undefined;
  body: Record<string, unknown>;
}

/** Fake platform that stores received events and lets tests wait for them. */
export class Receiver {
  readonly events: ReceivedEvent[] = [];
  /** Response to subsequent events. */
  answer: { status: number; body?: unknown } = { status: 200, body: {} };
  private waiting: (() => void)[] = [];
  private readonly server = http.createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const body = JSON.parse(text) as Record<string, unknown>;
      response.writeHead(this.answer.status).end(JSON.stringify(this.answer.body));
      this.events.push({ authorization: request.headers.authorization, body });
      for (const wake of this.waiting.splice(0)) wake();
    });
  });

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/events`;
  }

  types(): unknown[] {
    return this.events.map(({ body }) => body['type']);
  }

  /** Resolves once the received events satisfy the condition. */
  async until(condition: (events: ReceivedEvent[]) => boolean): Promise<void> {
    while (!condition(this.events)) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
