import type { Server, ServerResponse } from 'node:http';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { listenFault, httpServer } from '../network/http-server';

/** The address at which Prometheus scrapes a process. It must differ from the API's port. */
export interface MetricsAddress {
  host: string;
  /** 0 means any free port. */
  port: number;
  /** The variable that set the port. Appears in messages. */
  variable: string;
}

/** Returns null if no port is set, in which case metrics aren't served. */
export const metricsAddress = (host: string, port: number | null, variable: string): MetricsAddress | null =>
  port === null ? null : { host, port, variable };

/**
 * Serves only `GET /metrics`. `more` returns further text in the same format from another source in this process. Close the returned
 * server.
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
    // A collector failed unexpectedly. With this status, Prometheus shows the target as down.
    response.writeHead(500).end();
  }
}

/** Prefix of all metric names. */
export const PREFIX = 'voice_agent_';

/** Creates the registry of a process with Node's default metrics: CPU, memory, event loop lag and garbage collection. */
export function processRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: PREFIX });
  return registry;
}
