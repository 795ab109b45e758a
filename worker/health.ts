import type { Server } from 'node:http';
import { listenFault, httpServer } from '../runtime/network/http-server';

/** Serves `/readyz`, which returns 200 while the worker polls. Port 0 means any free port. */
export function serveHealth(port: number, isReady: () => boolean): Promise<Server> {
  const server = httpServer((request, response) => {
    const up = request.url === '/healthz' || (request.url === '/readyz' && isReady());
    const known = request.url === '/healthz' || request.url === '/readyz';
    response.writeHead(up ? 200 : known ? 503 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ status: up ? 'ok' : known ? 'starting or draining' : 'not found' }));
  });
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenFault(error, port, 'WORKER_HEALTH_PORT')));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
