/** The SDK's client, authenticated by the console's session instead of an API key. */
import { VoiceAgentClient } from '../../../sdk/typescript/client';
import { errorOf } from '../../../sdk/typescript/errors';
import { fetchWithProgress } from './upload';

let csrfToken: string | null = null;
let onSignedOut: () => void = () => undefined;

/** Stores the token that every changing request carries. Another site could send the cookie, but not this header. */
export const keepCsrfToken = (token: string | null): void => {
  csrfToken = token;
};

/** Sets the handler for a 401 response, which means that the session is over. */
export const whenSignedOut = (then: () => void): void => {
  onSignedOut = then;
};

const SESSION_PATH = '/api/console/session';
/** Long, because an upload over a slow connection takes minutes. */
const TIMEOUT_MS = 600_000;

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const clientWith = (send: Fetch) =>
  new VoiceAgentClient({
    baseUrl: window.location.origin,
    csrfToken: () => csrfToken,
    // Each page decides what to retry, and shows the first failure of an action.
    retries: { attempts: 1 },
    timeoutMs: TIMEOUT_MS,
    async fetch(url, init) {
      const response = await send(url, init);
      if (response.status === 401 && new URL(url).pathname !== SESSION_PATH) onSignedOut();
      return response;
    },
  });

export const api = clientWith((url, init) => fetch(url, init));

/** Returns a client that reports which share of a request's body is sent, from 0 to 1. */
export const apiWithProgress = (onProgress: (share: number) => void) =>
  clientWith(fetchWithProgress(onProgress));

/** Reads the error from a response that this client didn't fetch. */
export async function problemOf(response: Response): Promise<Error> {
  const text = await response.text();
  return errorOf(response.status, response.headers.get('X-Request-ID'), parsed(text));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Prepares form fields: drops empty ones, and writes lists and objects as JSON. */
export function formOf<T extends object>(fields: T): T {
  const filled = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  const texts = filled.map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'object' && !(value instanceof Blob) ? JSON.stringify(value) : value,
  ]);
  return Object.fromEntries(texts) as T;
}

/** Returns a random 128-bit key. `crypto.randomUUID` isn't available over plain HTTP, except on localhost. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
