/** Sends a webhook to a URL that an API client chose. It rejects private addresses in any notation, redirects and long answers. */
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import {
  AddressRefused,
  dnsResolve,
  guardedLookup,
  type Resolve,
} from '../../runtime/network/guarded-lookup';
import { watchKeptConnection } from '../../runtime/network/kept-connection';
import { isForbiddenPort, isPublicAddress } from '../../domain/public-address';
import { types } from 'node:util';

export interface WebhookAnswer {
  /** Null if the receiver didn't respond. */
  statusCode: number | null;
  durationMs: number;
  /** Why the attempt failed. Null if the receiver accepted it. */
  error: string | null;
}

export interface WebhookSender {
  post(url: string, body: string, headers: Record<string, string>): Promise<WebhookAnswer>;
}

interface WebhookSenderOptions {
  /** Hosts (`host` or `host:port`) that may resolve to a private address. For development only. */
  allowedHosts: readonly string[];
  /** Tests pass this in place of DNS. */
  resolve?: Resolve;
  /** Tests pass these in place of the guarded agents. */
  agents?: (options: http.AgentOptions) => Agents;
}

interface Agents {
  http: http.Agent;
  https: https.Agent;
}

const TIME_OUT_MS = 5_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
/** Maximum number of interim responses (1xx). Their content is ignored. */
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
    if (!isTls && url.protocol !== 'http:') throw new SendFailure('the URL is not http or https');
    // `URL` drops the protocol's default port.
    const port = url.port || (isTls ? '443' : '80');
    if (allowed.has(url.hostname) || allowed.has(`${url.hostname}:${port}`))
      return isTls ? open.https : open.http;
    // An IP address needs no DNS lookup, so check it here. `URL` has normalized its spelling.
    const address = bareHost(url);
    if (isIP(address) !== 0 && !isPublicAddress(address)) throw new AddressRefused('the address is private');
    if (isForbiddenPort(Number(port))) throw new SendFailure('the port is reserved for another protocol');
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
          // The receiver may already have got the request. Receivers must tolerate duplicate events.
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
 * Resolves to the status once the response was read or cut off, within the timeout. `again` repeats the request over a new connection if
 * the peer has closed the kept-alive one.
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
    let isFinished = false;
    /** A received status is valid even if reading the body fails. */
    const finish = (error: Error) => {
      // Destroying the request emits an error. Ignore it.
      if (isFinished) return;
      isFinished = true;
      clearTimeout(timer);
      request.destroy();
      if (status !== null) resolve(status);
      else if (again !== undefined && isKeptAndClosed(error))
        resolve(again(timeOutMs - (performance.now() - startedAt)));
      else reject(error);
    };
    const timer = setTimeout(() => finish(new SendFailure(timeOutName(TIME_OUT_MS))), timeOutMs);
    let interim = 0;
    request.on('information', () => {
      if ((interim += 1) > MAX_INTERIM_ANSWERS) finish(new SendFailure('too many interim answers'));
    });
    request.on('error', finish);
    request.on('response', (response) => {
      status = response.statusCode ?? 0;
      let read = 0;
      response.on('data', (chunk: Buffer) => {
        // Read a short response to its end, so that the connection can be reused.
        if ((read += chunk.length) > MAX_ANSWER_BYTES) finish(new SendFailure('the response is too long'));
      });
      response.on('error', finish);
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

/** A failure that the platform detected itself. Its message is safe for API clients. */
class SendFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SendFailure';
  }
}

const timeOutName = (timeOutMs: number): string => `no response within ${timeOutMs} ms`;

const NAMES: ReadonlyMap<string, string> = new Map([
  ['ERR_INVALID_URL', 'the URL is invalid'],
  ['HPE_HEADER_OVERFLOW', 'the headers of the response are too large'],
  ['CERT_HAS_EXPIRED', 'the certificate has expired'],
  ['CERT_NOT_YET_VALID', 'the certificate is not valid yet'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate is for another host name'],
  ['EPROTO', 'the TLS handshake failed'],
]);

const UNTRUSTED = /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|CRL_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_)/;

export function failureName(error: unknown): string {
  if (error instanceof AddressRefused || error instanceof SendFailure) return error.message;
  if (!types.isNativeError(error)) return 'unknown failure';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  if (code === null) return error.name;
  const name = NAMES.get(code);
  if (name !== undefined) return name;
  if (UNTRUSTED.test(code)) return `the certificate is not trusted (${code})`;
  if (code.startsWith('ERR_SSL_')) return 'the TLS handshake failed';
  if (code.startsWith('HPE_')) return 'the response is not valid HTTP';
  return code;
}
