import { httpServer } from '../../runtime/network/http-server';
import { listen, type ListeningServer } from './listen';

/** Serves `GET /healthz` while the process lives, and `GET /readyz` with 200 while it accepts conversations. On the loopback interface. */
export function serveHealth(port: number, isReady: () => boolean): Promise<ListeningServer> {
  const server = httpServer((request, response) => {
    const status =
      request.url === '/healthz' ? 200 : request.url === '/readyz' ? (isReady() ? 200 : 503) : 404;
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ status: status === 200 ? 'ok' : 'unavailable' }));
  });
  return listen(server, port, '127.0.0.1');
}
