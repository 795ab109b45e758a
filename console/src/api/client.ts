/** Typed client of the API. The browser adds the session's cookie. */
import createClient, { type Middleware } from 'openapi-fetch';
import { errorOf } from '../../../sdk/typescript/errors';
import type { paths } from '../../../sdk/typescript/generated';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

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

const session: Middleware = {
  onRequest({ request }) {
    if (csrfToken !== null && !SAFE.has(request.method)) request.headers.set('X-CSRF-Token', csrfToken);
    return request;
  },
  async onResponse({ request, response }) {
    if (response.ok) return;
    if (response.status === 401 && !new URL(request.url).pathname.startsWith(SESSION_PATH)) onSignedOut();
    throw await problemOf(response);
  },
};

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

export const api = createClient<paths>({ baseUrl: window.location.origin });
api.use(session);

/** @throws ApiError if the API rejects the request; TypeError if there is no response */
export async function answerOf<T>(request: Promise<{ data?: T }>): Promise<T> {
  const { data } = await request;
  if (data === undefined) throw new Error('the answer was empty');
  return data;
}

/** The body of an upload. openapi-fetch passes it on unchanged, and the browser adds the boundary. */
export function formOf(fields: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null || value === '') continue;
    if (value instanceof Blob) form.append(name, value);
    else form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return form;
}
