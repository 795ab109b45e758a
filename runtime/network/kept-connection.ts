/** Distinguishes a keep-alive connection that the peer closed from a failed request. */
import type { ClientRequest } from 'node:http';

const CLOSED: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE']);

/** True if the connection was closed by the peer or on the way. */
export const isClosed = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && CLOSED.has(error.code);

/**
 * Returns a function that tells if an error means that the keep-alive connection was closed before the first byte of the response. Peers
 * close idle connections just as the next request is sent, which says nothing about the request.
 */
export function watchKeptConnection(request: ClientRequest): (error: unknown) => boolean {
  let bytesBefore = 0;
  request.once('socket', (socket) => (bytesBefore = socket.bytesRead));
  return (error) =>
    request.reusedSocket && isClosed(error) && (request.socket?.bytesRead ?? bytesBefore) === bytesBefore;
}
