/** A webhook receiver that accepts or rejects deliveries by path. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** `/accepts` accepts everything, `/late` rejects the first attempt of each event, and `/refuses` rejects everything. */
const REFUSED_ATTEMPTS: Readonly<Record<string, number>> = {
  '/accepts': 0,
  '/late': 1,
  '/refuses': Infinity,
};

export interface FussyReceiver {
  host: string;
  close: () => Promise<void>;
}

export async function startReceiver(): Promise<FussyReceiver> {
  const server = http.createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const attempt = Number(request.headers['x-service-delivery-attempt']);
      const refused = attempt <= (REFUSED_ATTEMPTS[request.url ?? ''] ?? Infinity);
      response.writeHead(refused ? 500 : 200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
