import type { Server, ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import { listenFault } from '../network/listen-fault';
import { httpServer } from '../network/http-server';

/** Where a process answers Prometheus: never the port that clients reach. */
export interface MetricsAddress {
  /** The interface to listen on. */
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** That gave the port, for messages. */
  variable: string;
}

/** None without a port: nothing is served then. */
export const metricsAddress = (
  host: string,
  port: number | undefined,
  variable: string,
): MetricsAddress | null => (port === undefined ? null : { host, port, variable });

/**
 * Answers `GET /metrics` and nothing else. `more` is text of the same form from another source in this process; the caller closes
 * the server.
 */
export function serveMetrics(
  { host, port, variable }: MetricsAddress,
  registry: Registry,
  more: () => Promise<string> = () => Promise.resolve(''),
): Promise<Server> {
  const server = httpServer((request, response) => {
    if (request.method === 'GET' && request.url === '/metrics') void answer(response, registry, more);
    else response.writeHead(404).end();
  });
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenFault(error, port, variable)));
    server.listen(port, host, () => resolve(server));
  });
}

async function answer(
  response: ServerResponse,
  registry: Registry,
  more: () => Promise<string>,
): Promise<void> {
  try {
    const [ours, theirs] = await Promise.all([registry.metrics(), more()]);
    response.writeHead(200, { 'content-type': registry.contentType });
    response.end(theirs === '' ? ours : `${ours}\n${theirs}`);
  } catch {
    // A collector failed that cannot: Prometheus shows the target as down.
    response.writeHead(500).end();
  }
}
