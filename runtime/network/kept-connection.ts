/** Tells a kept connection that its peer closed from a request that failed. */
import type { ClientRequest } from 'node:http';

const CLOSED: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE']);

/** The peer, or the way to it, closed the connection. */
export const isClosed = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && CLOSED.has(error.code);

/**
 * Returns whether an error of the request means that its kept connection was closed before a byte of the answer came. Peers close idle
 * connections at the moment of the next request, which says nothing about the request.
 */
export function watchKeptConnection(request: ClientRequest): (error: unknown) => boolean {
  let bytesBefore = 0;
  request.once('socket', (socket) => (bytesBefore = socket.bytesRead));
  return (error) =>
    request.reusedSocket && isClosed(error) && (request.socket?.bytesRead ?? bytesBefore) === bytesBefore;
}
