/**
 * Connections to the hosts of models, open from one turn to the next. Node closes them after four seconds without a request, so that most
 * turns began with a handshake with each host.
 */

import { valueAt } from '../../domain/json';

/** Longer than a pause in a conversation, and shorter than networks keep a connection without traffic. A host may ask for less, and is heeded. */
const KEPT_MS = 300_000;
/** Under which Node's `fetch` keeps what connects it, and looks for a replacement. Node has no setting for it. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

type Dispatcher = new (options: { keepAliveTimeout: number }) => object;

/** For all requests of this process from now on. Without effect on a Node whose `fetch` is made otherwise. */
export function keepConnections(realm: object = globalThis): void {
  // `fetch` is loaded when it is first used.
  new Request('http://localhost');
  const current: unknown = Reflect.get(realm, DISPATCHER);
  if (typeof current !== 'object' || current === null || !isDispatcher(current.constructor)) return;
  Reflect.set(realm, DISPATCHER, new current.constructor({ keepAliveTimeout: KEPT_MS }));
}

const isDispatcher = (made: unknown): made is Dispatcher =>
  typeof made === 'function' && made.name === 'Agent';

/** Opens one for the first request to the URL's host. Resolves also where the host does not respond. */
export async function openConnection(url: string): Promise<void> {
  await fetch(url, { signal: AbortSignal.timeout(OPENS_WITHIN_MS) })
    .then((response) => response.arrayBuffer())
    .catch(() => undefined);
}

const OPENS_WITHIN_MS = 5_000;

/** As `fetch`, and once more where the host closed the connection before it responded. The body is no stream. */
export const fetchKept: typeof fetch = (...request) => overNewConnection(() => fetch(...request));

/** A request once more where the host closed the connection before it responded: one that was kept may be closed just as it is used again. */
export async function overNewConnection<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!wasClosed(error)) throw error;
    return request();
  }
}

const CLOSED: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);
/** A library names the cause in its own error, and `fetch` in that. */
const MOST_CAUSES = 4;

function wasClosed(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < MOST_CAUSES && cause !== undefined; depth += 1) {
    if (CLOSED.has(valueAt(cause, 'code'))) return true;
    cause = valueAt(cause, 'cause');
  }
  return false;
}
