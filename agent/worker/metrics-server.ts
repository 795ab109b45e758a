import { httpServer } from '../../runtime/network/http-server';
import type { Registry } from 'prom-client';
import { listen, type ListeningServer } from './listen';

export interface MetricsAddress {
  /** The interface to listen on. */
  host: string;
  /** 0 picks any free port. */
  port: number;
}

/** Serves `GET /metrics` and nothing else. The caller closes the server. */
export function serveMetrics({ host, port }: MetricsAddress, registry: Registry): Promise<ListeningServer> {
  const server = httpServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      // No collector is expected to fail. If one does, Prometheus shows the target as down.
      () => response.writeHead(500).end(),
    );
  });
  return listen(server, port, host);
}
