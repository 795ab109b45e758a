/** Helpers for the HTTP servers of the simulator, the stand-ins and the receiver. */
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import type { Server } from 'node:net';

/** Starts to listen and resolves to the port. Port 0 picks any free port. Rejects with EADDRINUSE. */
export function listen(server: Server, port: number, host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(address === null || typeof address === 'string' ? port : address.port);
    });
  });
}

/** Stops the server and cuts all connections. */
export function closeServer(server: HttpServer): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  return closed;
}

/** Returns null for a body that is too large. Rejects if the sender closes the connection. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
    });
    request.on('end', () => resolve(bytes <= maxBytes ? Buffer.concat(chunks) : null));
    request.on('error', reject);
  });
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text);
}
