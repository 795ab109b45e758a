/** Receives carrier events for the textbook program. Runs a callback when a call ends and acknowledges all other events. */
import { once } from 'node:events';
import { createServer } from 'node:http';

export interface EventsEndpoint {
  url: string;
  close(): Promise<void>;
}

export async function startEventsEndpoint(
  onEnded: (reference: string) => Promise<void>,
  /** 0 picks any free port. */
  port = 0,
): Promise<EventsEndpoint> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const reference = endedReference(body);
      const answer = (status: number) => response.writeHead(status).end();
      (reference === null ? Promise.resolve() : onEnded(reference)).then(
        () => answer(204),
        () => answer(503),
      );
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the endpoint has no port');
  return {
    url: `http://127.0.0.1:${address.port}/events`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function endedReference(body: string): string | null {
  if (body === '') return null;
  const event: unknown = JSON.parse(body);
  if (typeof event !== 'object' || event === null) return null;
  const fields = new Map<string, unknown>(Object.entries(event));
  const reference = fields.get('reference');
  return fields.get('type') === 'ended' && typeof reference === 'string' ? reference : null;
}
