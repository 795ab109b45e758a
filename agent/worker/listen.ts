import { once } from 'node:events';
import type { Server } from 'node:http';

export interface ListeningServer {
  server: Server;
  port: number;
}

/** Resolves once the server listens, with its port. Port 0 picks any free one. */
export async function listen(server: Server, port: number, host: string): Promise<ListeningServer> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return { server, port: typeof address === 'object' && address !== null ? address.port : port };
}
