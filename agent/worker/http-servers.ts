/** The worker's HTTP servers for health and metrics. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Registry } from 'prom-client';
import { httpServer } from '../../runtime/network/http-server';

interface Health {
  /** Returns true while the worker is registered with LiveKit. */
  isRegistered: () => boolean;
  /** Why no conversation can take place although the worker is registered. Null when no reason is known. */
  fault: string | null;
}

/**
 * Serves these paths on the loopback interface and responds with 200 or 503. `GET /healthz` returns 200 while the process is alive, `GET
 * /registered` while the worker accepts conversations, and `GET /readyz` while it also has the models to hold them.
 */
export function serveHealth(port: number, { isRegistered, fault }: Health): Promise<ListeningServer> {
  const checks: Readonly<Record<string, () => boolean>> = {
    '/healthz': () => true,
    '/registered': isRegistered,
    '/readyz': () => fault === null && isRegistered(),
  };
  const server = httpServer((request, response) => {
    const check = checks[request.url ?? ''];
    const status = check === undefined ? 404 : check() ? 200 : 503;
    const reason = request.url === '/readyz' && fault !== null ? { reason: fault } : {};
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ status: status === 200 ? 'ok' : 'unavailable', ...reason }));
  });
  return listen(server, port, '127.0.0.1');
}

interface ListeningServer {
  server: Server;
  port: number;
}

/** Resolves to the port once the server listens. Port 0 picks any free port. */
async function listen(server: Server, port: number, host: string): Promise<ListeningServer> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return { server, port: typeof address === 'object' && address !== null ? address.port : port };
}

export interface MetricsAddress {
  /** The interface to listen on. */
  host: string;
  /** 0 picks any free port. */
  port: number;
}

/** Serves only `GET /metrics`. The calling code must close the server. */
export function serveMetrics({ host, port }: MetricsAddress, registry: Registry): Promise<ListeningServer> {
  const server = httpServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      // If a collector fails, Prometheus shows the target as down.
      () => response.writeHead(500).end(),
    );
  });
  return listen(server, port, host);
}
