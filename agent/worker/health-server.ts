import { httpServer } from '../../runtime/network/http-server';
import { listen, type ListeningServer } from './listen';

export interface Health {
  /** Whether LiveKit has the worker registered. */
  isRegistered: () => boolean;
  /** Why no conversation can be held although the worker is registered. Null where nothing is known to prevent one. */
  fault: string | null;
}

/**
 * Serves on the loopback interface, with 200 or 503: `GET /healthz` while the process lives, `GET /registered` while it accepts conversations, and
 * `GET /readyz` while it accepts and can hold them.
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
