/** Webhook endpoints that accept every connection and never respond. */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

export interface SilentReceivers {
  /** The endpoints' URLs, with a path. */
  urls: readonly string[];
  /** Returns the number of open connections. */
  hanging(): number;
  close(): Promise<void>;
}

export async function silentReceivers(count: number): Promise<SilentReceivers> {
  const sockets = new Set<Socket>();
  const open = async (): Promise<Server> => {
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
      socket.resume();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  const servers = await Promise.all(Array.from({ length: count }, open));
  return {
    urls: servers.map((server) => `http://127.0.0.1:${portOf(server)}/calls`),
    hanging: () => sockets.size,
    async close() {
      const closed = servers.map((server) => once(server, 'close'));
      servers.forEach((server) => server.close());
      sockets.forEach((socket) => socket.destroy());
      await Promise.all(closed);
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('the receiver does not listen on a port');
  return address.port;
}
