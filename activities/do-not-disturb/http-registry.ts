/** The registry over HTTP, as `docs/operations.md` describes it to whoever runs one. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import fetch, { FetchError } from 'node-fetch';
import { isJsonObject } from '../../workflows/domain/json';
import { RegistryUnavailable, type DndRegistry } from './registry';

export interface HttpDndRegistryOptions {
  /** An operator's, so it may be private: the guard of webhooks does not apply. */
  url: string;
  /** Sent as a bearer token. Null where the registry asks for none. */
  token: string | null;
  /** For the whole answer, a second try included. */
  timeoutMs: number;
}

const MAX_ANSWER_BYTES = 16 * 1024;
/** A kept connection that the registry closed just as we wrote to it. */
const BROKEN_OFF = new Set(['ECONNRESET', 'EPIPE']);

export function httpDndRegistry({ url, token, timeoutMs }: HttpDndRegistryOptions): DndRegistry {
  const agent = url.startsWith('https:')
    ? new HttpsAgent({ keepAlive: true })
    : new HttpAgent({ keepAlive: true });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'voice-agent-platform',
    ...(token !== null && { authorization: `Bearer ${token}` }),
  };

  const ask = async (phoneNumber: string, inTime: AbortSignal): Promise<boolean> => {
    const cut = new AbortController();
    try {
      const response = await fetch(url, {
        method: 'POST',
        // In the body, because addresses end up in access logs.
        body: JSON.stringify({ number: phoneNumber }),
        headers,
        agent,
        redirect: 'error',
        compress: false,
        size: MAX_ANSWER_BYTES,
        signal: AbortSignal.any([cut.signal, inTime]),
      });
      if (response.status !== 200) throw new RegistryUnavailable(`status ${response.status}`);
      return listedIn(await response.text());
    } finally {
      // An answer that was not read to its end would keep its connection.
      cut.abort();
    }
  };

  return {
    async isListed(phoneNumber) {
      const inTime = AbortSignal.timeout(timeoutMs);
      try {
        return await ask(phoneNumber, inTime).catch((error: unknown) => {
          // A question changes nothing, so it may be put twice; else a contact would go uncalled for a connection's age.
          if (error instanceof FetchError && BROKEN_OFF.has(error.code ?? ''))
            return ask(phoneNumber, inTime);
          throw error;
        });
      } catch (error) {
        if (error instanceof RegistryUnavailable) throw error;
        throw new RegistryUnavailable(failureName(error, timeoutMs));
      }
    },
  };
}

function listedIn(body: string): boolean {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    throw new RegistryUnavailable('the answer is no JSON');
  }
  if (!isJsonObject(answer) || typeof answer.listed !== 'boolean') {
    throw new RegistryUnavailable('the answer does not say whether the number is listed');
  }
  return answer.listed;
}

/** Without the error's own message, which may hold the address and with it a password. */
function failureName(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'unknown failure';
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  if (error instanceof FetchError) return error.code ?? error.type;
  return error.name;
}
