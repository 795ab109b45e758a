/** Sends the requests of actions. They never reach a private address, don't follow redirects, and are limited in time and size. */
import http from 'node:http';
import https from 'node:https';
import { types } from 'node:util';
import { AddressRefused } from '../../../runtime/network/guarded-lookup';
import { watchKeptConnection } from '../../../runtime/network/kept-connection';
import { withOwnSignal, withTimeout } from '../../../runtime/network/time-limit';
import type { Guard } from '../../network/guarded-agent';
import type { OutgoingRequest, RequestOutcome, SendRequest } from './actions';

/** The model reads only a fraction of this. */
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_REQUEST_BYTES = 256 * 1024;

const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'PUT', 'DELETE']);

export const guardedRequests =
  (guard: Guard): SendRequest =>
  async (request) => {
    if (!URL.canParse(request.url)) return failed('the URL is invalid');
    if (Buffer.byteLength(request.body ?? '') > MAX_REQUEST_BYTES) return failed('the request is too long');
    try {
      const url = new URL(request.url);
      // Requests that are not idempotent can't be retried. They use a new connection, because the server could be closing a kept-alive one.
      const isFresh = !IDEMPOTENT.has(request.method);
      return await withOwnSignal(undefined, (signal) => {
        const send = (agent: http.Agent, again?: () => Promise<RequestOutcome>) =>
          exchange(url, { ...request, agent, signal }, again);
        const again = (): Promise<RequestOutcome> => send(guard.agentFor(url, { isFresh: true }));
        const answer = send(guard.agentFor(url, { isFresh }), isFresh ? undefined : again);
        return withTimeout(request.withinMs, answer, () => failed(`no answer within ${request.withinMs} ms`));
      });
    } catch (error) {
      return failed(reasonOf(error));
    }
  };

const failed = (why: string): RequestOutcome => ({ kind: 'failed', why });

/** Returns a fixed sentence. A library's error message can contain the address, which can contain a secret. */
function reasonOf(error: unknown): string {
  if (error instanceof AddressRefused) return error.message;
  const code = types.isNativeError(error) && 'code' in error ? error.code : null;
  if (code === 'ERR_INVALID_CHAR' || code === 'ERR_INVALID_HTTP_TOKEN') return 'a header is invalid';
  if (code === 'ENOTFOUND' || code === 'ENODATA') return 'the host name is unknown';
  return 'the server could not be reached';
}

/** Truncates a long response. `again` resends the request when the kept-alive connection turns out to be closed. */
function exchange(
  url: URL,
  request: OutgoingRequest & { agent: http.Agent; signal: AbortSignal },
  again?: () => Promise<RequestOutcome>,
): Promise<RequestOutcome> {
  const { agent, signal } = request;
  return new Promise((resolve, reject) => {
    const bytes = request.body === null ? null : Buffer.from(request.body, 'utf8');
    const sending = (url.protocol === 'https:' ? https : http).request(url, {
      method: request.method,
      agent,
      signal,
      maxHeaderSize: MAX_HEADER_BYTES,
      headers: {
        'User-Agent': 'voice-agent-platform',
        Accept: 'application/json, text/plain;q=0.9, */*;q=0.5',
        'Accept-Encoding': 'identity',
        ...request.headers,
        ...(bytes === null ? {} : { 'Content-Length': bytes.length }),
      },
    });
    const isKeptAndClosed = watchKeptConnection(sending);
    sending.on('error', (error) => {
      // A cancelled request also emits an error.
      if (!signal.aborted && again !== undefined && isKeptAndClosed(error)) resolve(again());
      else reject(error);
    });
    sending.on('response', (response) => void read(response).then(resolve, reject));
    sending.end(bytes ?? undefined);
  });
}

async function read(response: http.IncomingMessage): Promise<RequestOutcome> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    const bytes = Buffer.from(chunk as Uint8Array);
    chunks.push(bytes);
    if ((size += bytes.length) > MAX_ANSWER_BYTES) break;
  }
  const all = Buffer.concat(chunks);
  const contentType = response.headers['content-type'] ?? '';
  return {
    kind: 'answered',
    status: response.statusCode ?? 0,
    contentType,
    // `stream: true` drops a multi-byte character that was cut at the end.
    body: new TextDecoder('utf-8').decode(all.subarray(0, MAX_ANSWER_BYTES), { stream: true }),
    isCut: size > MAX_ANSWER_BYTES,
  };
}
