import { httpServer } from '../../runtime/network/http-server';
import { listen, type ListeningServer } from './listen';

export interface Health {
  /** Whether LiveKit has the worker registered. */
  isRegistered: () => boolean;
  /** Why no conversation can take place although the worker is registered. Null when no such fault is known. */
  fault: string | null;
}

/**
 * Serves on the loopback interface and responds with 200 or 503: `GET /healthz` is 200 while the process lives, `GET /registered` while it
 * accepts conversations, and `GET /readyz` while it accepts them and has the models to hold them.
 */
export function serveHealth(port: number, { isRegistered, fault }: Health): Promise<ListeningServer> {
  const looks: Readonly<Record<string, () => boolean>> = {
    '/healthz': () => true,
    '/registered': isRegistered,
    '/readyz': () => fault === null && isRegistered(),
  };
  const server = httpServer((request, response) => {
    const look = looks[request.url ?? ''];
    const status = look === undefined ? 404 : look() ? 200 : 503;
    const reason = request.url === '/readyz' && fault !== null ? { reason: fault } : {};
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ status: status === 200 ? 'ok' : 'unavailable', ...reason }));
  });
  return listen(server, port, '127.0.0.1');
}
