/** HTTP client for services of the operator. Their addresses can be private, so the guard for webhooks doesn't apply. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import fetch, { FetchError } from 'node-fetch';
import { isClosed } from '../../runtime/network/kept-connection';
import { withOwnSignal, withTimeout } from '../../runtime/network/time-limit';

interface OwnService {
  url: string;
  /** Sent as a bearer token. Null if the service needs none. */
  token: string | null;
  maxAnswerBytes: number;
  /** Whether the server may compress the answer. */
  compress: boolean;
}

interface RequestLimits {
  /** Time limit for the complete answer. */
  timeoutMs: number;
  signal?: AbortSignal;
}

export interface ServiceAnswer {
  status: number;
  /** Empty unless the status is 2xx. */
  text: string;
  retryAfter: string | null;
}

export const keptConnections = (url: string): HttpAgent => connections(url, true);

const connections = (url: string, keepAlive: boolean): HttpAgent =>
  url.startsWith('https:') ? new HttpsAgent({ keepAlive }) : new HttpAgent({ keepAlive });

/** Sends an idempotent request. Sends it again over a new connection if the peer had closed the kept-alive one. */
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

/** Sends data in JSON bodies, because URLs end up in access logs. Treats redirects as failures. */
export function questionsTo({ url, token, maxAnswerBytes, compress }: OwnService) {
  const kept = keptConnections(url);
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'voice-agent-platform',
    ...(token !== null && { authorization: `Bearer ${token}` }),
  };
  return async function ask(question: object, { timeoutMs, signal }: RequestLimits): Promise<ServiceAnswer> {
    return withOwnSignal(signal, (own) => {
      const request = {
        method: 'POST',
        body: JSON.stringify(question),
        headers,
        redirect: 'error',
        compress,
        size: maxAnswerBytes,
        signal: own,
      } as const;
      const sent = sentTwiceAtMost(url, kept, async (agent) => {
        const response = await fetch(url, { ...request, agent });
        const text = response.ok ? await response.text() : '';
        return { status: response.status, text, retryAfter: response.headers.get('retry-after') };
      });
      return withTimeout(timeoutMs, sent);
    });
  };
}

/** Describes a failure without the error's message, which may contain the URL and therefore a password. */
export function failureName(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'unknown failure';
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  if (error instanceof FetchError) return error.code ?? error.type;
  return error.name;
}

/** Codes of errors that happen before a connection exists. They prove that the peer didn't get the request. */
export const NEVER_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
