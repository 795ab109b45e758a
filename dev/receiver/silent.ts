/** Webhook endpoints that accept every connection and never respond. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { listen } from '../http';

export interface SilentReceivers {
  /** The endpoints' URLs, with a path. */
  urls: readonly string[];
  /** Returns the number of open connections. */
  hanging(): number;
  close(): Promise<void>;
}

export async function silentReceivers(count: number): Promise<SilentReceivers> {
  const sockets = new Set<Socket>();
  const open = async () => {
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
      socket.resume();
    });
    return { server, port: await listen(server, 0) };
  };
  const servers = await Promise.all(Array.from({ length: count }, open));
  return {
    urls: servers.map(({ port }) => `http://127.0.0.1:${port}/calls`),
    hanging: () => sockets.size,
    async close() {
      const closed = servers.map(({ server }) => once(server, 'close'));
      servers.forEach(({ server }) => server.close());
      sockets.forEach((socket) => socket.destroy());
      await Promise.all(closed);
    },
  };
}
