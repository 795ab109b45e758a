/** Sends one webhook request to a URL that a stranger chose: no private address in any spelling, no redirect, no long answer. */
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { AddressRefused } from '../../runtime/network/address-refused';
import { watchKeptConnection } from '../../runtime/network/kept-connection';
import { dnsResolve, guardedLookup, type Resolve } from '../../runtime/network/guarded-lookup';
import { failureName, SendFailure, timeOutName } from './failure-name';
import { isPublicAddress } from '../../domain/public-address';
import { isForbiddenPort } from '../../domain/forbidden-port';

export interface WebhookAnswer {
  /** Null where no answer came. */
  statusCode: number | null;
  durationMs: number;
  /** Why it does not count as accepted; null when it does. */
  error: string | null;
}

export interface WebhookSender {
  post(url: string, body: string, headers: Record<string, string>): Promise<WebhookAnswer>;
}

export interface WebhookSenderOptions {
  /** `host` or `host:port` that may be private: for development. */
  allowedHosts: readonly string[];
  /** DNS unless a test has names of its own. */
  resolve?: Resolve;
  /** How connections to guarded addresses are opened: a test may lead them elsewhere, past the guard. */
  agents?: (options: http.AgentOptions) => Agents;
}

interface Agents {
  http: http.Agent;
  https: https.Agent;
}

const TIME_OUT_MS = 5_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
/** Interim answers (1xx) say nothing here. */
const MAX_INTERIM_ANSWERS = 10;

const agentsWith = (options: http.AgentOptions): Agents => ({
  http: new http.Agent(options),
  https: new https.Agent(options),
});

// eslint-disable-next-line @typescript-eslint/require-await -- the worker and the tests await it
export async function webhookSender(options: WebhookSenderOptions): Promise<WebhookSender> {
  const { allowedHosts, resolve = dnsResolve(), agents = agentsWith } = options;
  const lookup = guardedLookup(resolve);
  const kept = { guarded: agents({ keepAlive: true, lookup }), open: agentsWith({ keepAlive: true }) };
  const fresh = { guarded: agents({ lookup }), open: agentsWith({}) };
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()));

  const agentFor = (url: URL, { guarded, open }: typeof kept): http.Agent => {
    const isTls = url.protocol === 'https:';
    if (!isTls && url.protocol !== 'http:') throw new SendFailure('the address is not http or https');
    // `host` drops a port that is the protocol's own.
    const port = url.port || (isTls ? '443' : '80');
    if (allowed.has(url.hostname) || allowed.has(`${url.hostname}:${port}`))
      return isTls ? open.https : open.http;
    // An address is connected to without being looked up. The URL has made one spelling of all.
    const address = bareHost(url);
    if (isIP(address) !== 0 && !isPublicAddress(address)) throw new AddressRefused('the address is private');
    if (isForbiddenPort(Number(port))) throw new SendFailure('the port serves another protocol');
    return isTls ? guarded.https : guarded.http;
  };

  return {
    async post(url, body, headers) {
      const startedAt = performance.now();
      const answer = (statusCode: number | null, error: string | null): WebhookAnswer => ({
        statusCode,
        durationMs: Math.round(performance.now() - startedAt),
        error,
      });
      try {
        const parsed = new URL(url);
        const status = await exchange(
          { url: parsed, body, headers, timeOutMs: TIME_OUT_MS },
          agentFor(parsed, kept),
          // The receiver may have had the request all the same. It has to expect an event twice, by its id.
          (leftMs) => exchange({ url: parsed, body, headers, timeOutMs: leftMs }, agentFor(parsed, fresh)),
        );
        return answer(status, status >= 200 && status < 300 ? null : `status ${status}`);
      } catch (error) {
        return answer(null, failureName(error));
      }
    },
  };
}

interface Exchange {
  url: URL;
  body: string;
  headers: Record<string, string>;
  timeOutMs: number;
}

/**
 * The status of the answer, once the answer has been read or cut. All of it takes no longer than the time-out. `again` sends the request
 * over a new connection, because a kept one was closed.
 */
function exchange(
  { url, body, headers, timeOutMs }: Exchange,
  agent: http.Agent,
  again?: (leftMs: number) => Promise<number>,
) {
  const startedAt = performance.now();
  return new Promise<number>((resolve, reject) => {
    const bytes = Buffer.from(body, 'utf8');
    const request = (url.protocol === 'https:' ? https : http).request({
      ...target(url),
      method: 'POST',
      agent,
      maxHeaderSize: MAX_HEADER_BYTES,
      headers: {
        'content-type': 'application/json',
        'content-length': bytes.length,
        'user-agent': 'voice-agent-platform',
        accept: '*/*',
        ...headers,
      },
    });
    const isKeptAndClosed = watchKeptConnection(request);
    let status: number | null = null;
    let isSettled = false;
    /** A status counts, whatever becomes of the body after it. */
    const settle = (error: Error) => {
      // To destroy a request makes an error of its own.
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      request.destroy();
      if (status !== null) resolve(status);
      else if (again !== undefined && isKeptAndClosed(error))
        resolve(again(timeOutMs - (performance.now() - startedAt)));
      else reject(error);
    };
    const timer = setTimeout(() => settle(new SendFailure(timeOutName(TIME_OUT_MS))), timeOutMs);
    let interim = 0;
    request.on('information', () => {
      if ((interim += 1) > MAX_INTERIM_ANSWERS) settle(new SendFailure('interim answers without end'));
    });
    request.on('error', settle);
    request.on('response', (response) => {
      status = response.statusCode ?? 0;
      let read = 0;
      response.on('data', (chunk: Buffer) => {
        // A short answer is read to its end, so that the connection can serve again.
        if ((read += chunk.length) > MAX_ANSWER_BYTES) settle(new SendFailure('the answer is too long'));
      });
      response.on('error', settle);
      response.on('end', () => {
        clearTimeout(timer);
        resolve(response.statusCode ?? 0);
      });
    });
    request.end(bytes);
  });
}

const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

function target(url: URL): http.RequestOptions {
  const { username, password } = url;
  return {
    hostname: bareHost(url),
    port: url.port,
    path: `${url.pathname}${url.search}`,
    ...(username || password
      ? { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` }
      : {}),
  };
}
