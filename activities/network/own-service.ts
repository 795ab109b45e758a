/** Services of the operator's own over HTTP. They may be private: the guard of webhooks does not apply to them. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import fetch, { FetchError } from 'node-fetch';
import { isClosed } from '../../runtime/network/kept-connection';

export interface OwnService {
  url: string;
  /** Sent as a bearer token. Null where the service asks for none. */
  token: string | null;
  maxAnswerBytes: number;
  /** Whether the answer may be compressed. */
  compress: boolean;
}

export interface RequestLimits {
  /** For the whole answer. */
  timeoutMs: number;
  /** Aborts when the request that waits for the answer ends. */
  signal?: AbortSignal;
}

export interface ServiceAnswer {
  status: number;
  /** Empty unless the status is a success. */
  text: string;
  retryAfter: string | null;
}

/** Connections that are kept for the next request to the address. */
export const keptConnections = (url: string): HttpAgent => connections(url, true);

const connections = (url: string, keepAlive: boolean): HttpAgent =>
  url.startsWith('https:') ? new HttpsAgent({ keepAlive }) : new HttpAgent({ keepAlive });

/** Sends a request that may arrive twice once more, over a new connection, if its connection was closed. */
export async function sentTwiceAtMost<Answer>(
  url: string,
  kept: HttpAgent,
  send: (agent: HttpAgent) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await send(kept);
  } catch (error) {
    if (!isClosed(error)) throw error;
    return send(connections(url, false));
  }
}

/** Puts questions, in bodies of JSON, because addresses end up in access logs. Redirects are failures. */
export function questionsTo({ url, token, maxAnswerBytes, compress }: OwnService) {
  const kept = keptConnections(url);
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'voice-agent-platform',
    ...(token !== null && { authorization: `Bearer ${token}` }),
  };
  return async function ask(question: object, { timeoutMs, signal }: RequestLimits): Promise<ServiceAnswer> {
    const cut = new AbortController();
    // Not a signal that times out, which Node may collect before its time where nothing but `any` holds it.
    const timer = setTimeout(() => cut.abort(), timeoutMs);
    try {
      const request = {
        method: 'POST',
        body: JSON.stringify(question),
        headers,
        redirect: 'error',
        compress,
        size: maxAnswerBytes,
        signal: signal === undefined ? cut.signal : AbortSignal.any([cut.signal, signal]),
      } as const;
      return await sentTwiceAtMost(url, kept, async (agent) => {
        const response = await fetch(url, { ...request, agent });
        const text = response.ok ? await response.text() : '';
        return { status: response.status, text, retryAfter: response.headers.get('retry-after') };
      });
    } finally {
      clearTimeout(timer);
      // An answer that was not read to its end would keep its connection.
      cut.abort();
    }
  };
}

/** Without the error's own message, which may hold the address and with it a password. */
export function failureName(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'unknown failure';
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  if (error instanceof FetchError) return error.code ?? error.type;
  return error.name;
}
