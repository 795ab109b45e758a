import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

/** Serves `GET /healthz` while the process lives, and `GET /readyz` with 200 while it accepts conversations. On the loopback interface. */
export async function serveHealth(
  port: number,
  isReady: () => boolean,
): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    const status =
      request.url === '/healthz' ? 200 : request.url === '/readyz' ? (isReady() ? 200 : 503) : 404;
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ status: status === 200 ? 'ok' : 'unavailable' }));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { server, port: typeof address === 'object' && address !== null ? address.port : port };
}
