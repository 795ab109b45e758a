/** Distinguishes a keep-alive connection that the peer closed from a request that failed. */
import type { ClientRequest } from 'node:http';

const CLOSED: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE']);

/** Returns whether the peer or the network closed the connection. */
export const isClosed = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && CLOSED.has(error.code);

/**
 * Returns a function that checks whether an error means that the keep-alive connection was closed before the first byte of the response. A
 * peer can close an idle connection just as the next request is sent. That says nothing about the request itself.
 */
export function watchKeptConnection(request: ClientRequest): (error: unknown) => boolean {
  let bytesBefore = 0;
  request.once('socket', (socket) => (bytesBefore = socket.bytesRead));
  return (error) =>
    request.reusedSocket && isClosed(error) && (request.socket?.bytesRead ?? bytesBefore) === bytesBefore;
}
