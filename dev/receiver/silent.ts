/** Webhook endpoints that take every connection and never answer. */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

export interface SilentReceivers {
  /** One for each, with a path. */
  urls: readonly string[];
  /** Connections that are open now, of all. */
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
  if (address === null || typeof address === 'string') throw new Error('the receiver listens on no port');
  return address.port;
}
