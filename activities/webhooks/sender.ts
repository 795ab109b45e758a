/** Sends one webhook request to a URL that a stranger chose: no private address in any spelling, no redirect, no long answer. */
import fetch from 'node-fetch';
import { Agent as HttpAgent, type Agent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

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
}

const TIME_OUT_MS = 5_000;
const MAX_ANSWER_BYTES = 64 * 1024;

export async function webhookSender({ allowedHosts }: WebhookSenderOptions): Promise<WebhookSender> {
  // The package is an ES module, which CommonJS can only import at run time.
  const { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } = await import('request-filtering-agent');
  // The filter looks at the address that is connected to, so that a name which changes its address gains nothing.
  const filter = { keepAlive: true, denyIPAddressList: ['::/96'] };
  const guarded = {
    http: new RequestFilteringHttpAgent(filter),
    https: new RequestFilteringHttpsAgent(filter),
  };
  const open = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };

  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()));
  const agentFor = (url: URL): Agent => {
    // `host` drops a port that is the protocol's own.
    const port = url.port || (url.protocol === 'https:' ? '443' : '80');
    const agents = allowed.has(url.hostname) || allowed.has(`${url.hostname}:${port}`) ? open : guarded;
    return url.protocol === 'https:' ? agents.https : agents.http;
  };

  return {
    async post(url, body, headers) {
      const startedAt = performance.now();
      const cut = new AbortController();
      const answer = (statusCode: number | null, error: string | null): WebhookAnswer => ({
        statusCode,
        durationMs: Math.round(performance.now() - startedAt),
        error,
      });
      try {
        const response = await fetch(url, {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json', 'user-agent': 'voice-agent-platform', ...headers },
          agent: agentFor,
          redirect: 'manual',
          compress: false,
          size: MAX_ANSWER_BYTES,
          signal: AbortSignal.any([cut.signal, AbortSignal.timeout(TIME_OUT_MS)]),
        });
        // What is longer than an acknowledgement ends the connection: breaking off the reading alone would leave it open.
        if (!(await readToEnd(response.body))) cut.abort();
        return answer(response.status, response.ok ? null : `status ${response.status}`);
      } catch (error) {
        return answer(null, failureName(error));
      }
    },
  };
}

/** The status says all. A short answer is read to its end, so that the connection can serve again. False when it was not. */
async function readToEnd(body: NodeJS.ReadableStream): Promise<boolean> {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > MAX_ANSWER_BYTES) return false;
    }
    return true;
  } catch {
    // It answered with a status; what its body then does is its own affair.
    return false;
  }
}

/** A short name for operators, without the address: node-fetch's messages carry the whole URL. */
function failureName(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown failure';
  if (error.name === 'AbortError' || error.name === 'TimeoutError')
    return `no answer within ${TIME_OUT_MS} ms`;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  if (/is not allowed/.test(error.message)) return 'the address is private';
  return code ?? error.name;
}
