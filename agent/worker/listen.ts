import { once } from 'node:events';
import type { Server } from 'node:http';

export interface ListeningServer {
  server: Server;
  port: number;
}

/** Resolves once the server listens, with the port that it got: for port 0 any free one. */
export async function listen(server: Server, port: number, host: string): Promise<ListeningServer> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return { server, port: typeof address === 'object' && address !== null ? address.port : port };
}
