/** The SDK's client, with the console's session in place of an API key. */
import { VoiceAgentClient } from '../../../sdk/typescript/client';
import { errorOf } from '../../../sdk/typescript/errors';

let csrfToken: string | null = null;
let onSignedOut: () => void = () => undefined;

/** Every request that changes something carries this token. Another site can send the cookie, but not this header. */
export const keepCsrfToken = (token: string | null): void => {
  csrfToken = token;
};

/** Sets the handler for a response that says that the session is over. */
export const whenSignedOut = (then: () => void): void => {
  onSignedOut = then;
};

const SESSION_PATH = '/api/console/session';
/** An upload over a slow connection takes minutes. */
const TIMEOUT_MS = 600_000;

export const api = new VoiceAgentClient({
  baseUrl: window.location.origin,
  csrfToken: () => csrfToken,
  // The page decides what is tried again, and shows the first failure of an action.
  retries: { attempts: 1 },
  timeoutMs: TIMEOUT_MS,
  async fetch(url, init) {
    const response = await fetch(url, init);
    if (response.status === 401 && new URL(url).pathname !== SESSION_PATH) onSignedOut();
    return response;
  },
});

/** Reads the error of a request outside the client. */
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

/** Prepares the fields of a form: drops empty ones, and writes lists and objects as JSON. */
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

/** A random key with 128 bits. `crypto.randomUUID` is missing on pages that another machine serves over plain HTTP. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
