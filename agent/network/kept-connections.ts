/**
 * Keeps connections to model hosts open between turns. Node closes them after four seconds without a request, so most turns would begin
 * with a new handshake.
 */

import { valueAt } from '../../domain/json';

/**
 * Longer than a pause in a conversation, and shorter than the time after which networks drop idle connections. A host can request a shorter
 * time.
 */
const KEPT_MS = 300_000;
/** Node's `fetch` looks up its dispatcher under this global symbol. Node has no setting for it. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

type Dispatcher = new (options: { keepAliveTimeout: number }) => object;

/** Applies to all later requests of this process. Has no effect if this Node version implements `fetch` differently. */
export function keepConnections(realm: object = globalThis): void {
  // Node loads `fetch` on first use, which sets the dispatcher.
  new Request('http://localhost');
  const current: unknown = Reflect.get(realm, DISPATCHER);
  if (typeof current !== 'object' || current === null || !isDispatcher(current.constructor)) return;
  Reflect.set(realm, DISPATCHER, new current.constructor({ keepAliveTimeout: KEPT_MS }));
}

const isDispatcher = (made: unknown): made is Dispatcher =>
  typeof made === 'function' && made.name === 'Agent';

/** Opens a connection before the first request to the URL's host. Resolves even if the host does not respond. */
export async function openConnection(url: string): Promise<void> {
  await fetch(url, { signal: AbortSignal.timeout(OPEN_TIMEOUT_MS) })
    .then((response) => response.arrayBuffer())
    .catch(() => undefined);
}

const OPEN_TIMEOUT_MS = 5_000;

/** Works like `fetch`, but retries once if the host closed the connection before it responded. The body must not be a stream. */
export const fetchKept: typeof fetch = (...request) => overNewConnection(() => fetch(...request));

/**
 * Retries a request once if the host closed the connection before it responded. This happens when the host closes a kept-alive connection
 * just as we use it.
 */
export async function overNewConnection<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!wasClosed(error)) throw error;
    return request();
  }
}

const CLOSED: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);
/** Libraries wrap the cause in their own error, and `fetch` wraps it once more. */
const MAX_CAUSES = 4;

function wasClosed(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && cause !== undefined; depth += 1) {
    if (CLOSED.has(valueAt(cause, 'code'))) return true;
    cause = valueAt(cause, 'cause');
  }
  return false;
}
