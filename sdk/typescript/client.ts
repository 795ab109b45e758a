import { ConnectionError, errorOf, type ApiError } from './errors';
import { REQUESTS } from './generated';
import type {
  Answer,
  CallOptions,
  Item,
  JsonPath,
  ListPath,
  Method,
  Operation,
  PathOf,
  Rest,
} from './operations';
import { backoffMs, isRetried, RETRIES, retryAfterMs, type RetrySettings } from './retries';

export type ClientOptions = ConnectionOptions & ({ apiKey: string } | ConsoleCredentials);

/** For pages of the console, where the browser sends the session cookie. */
interface ConsoleCredentials {
  /** Returns the session's CSRF token, which is sent with every request except reads. Null without a session. */
  csrfToken: () => string | null;
}

interface ConnectionOptions {
  /** For example `https://calls.example.com`. */
  baseUrl: string;
  retries?: RetrySettings;
  /** Timeout of each attempt in milliseconds. Includes reading the response, except for downloads. Defaults to 30,000. */
  timeoutMs?: number;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** A request without the types of its operation. */
export interface AnyRequest extends CallOptions {
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
  idempotencyKey?: string;
}

interface Traits {
  form?: true;
  idempotencyKey?: true;
  reads?: true;
}

/** These methods are idempotent, so they can be retried. */
const IDEMPOTENT_METHODS: readonly Method[] = ['get', 'put', 'patch', 'delete'];

/**
 * Client of the REST API, typed by method and path. Throws an `ApiError` when the API rejects a request, and a `ConnectionError` when there
 * is no response. Requests that are safe to repeat are retried (`retries`). Dispatch and campaign create carry an idempotency key, so they
 * take effect only once.
 */
export class VoiceAgentClient {
  private readonly retries: Required<RetrySettings>;

  constructor(private readonly options: ClientOptions) {
    this.retries = { ...RETRIES, ...options.retries };
  }

  get<P extends JsonPath>(
    path: P,
    ...[options]: Rest<Operation<'get', P>>
  ): Promise<Answer<Operation<'get', P>>> {
    return this.json('get', path, options);
  }

  post<P extends PathOf<'post'>>(
    path: P,
    ...[options]: Rest<Operation<'post', P>>
  ): Promise<Answer<Operation<'post', P>>> {
    return this.json('post', path, options);
  }

  put<P extends PathOf<'put'>>(
    path: P,
    ...[options]: Rest<Operation<'put', P>>
  ): Promise<Answer<Operation<'put', P>>> {
    return this.json('put', path, options);
  }

  patch<P extends PathOf<'patch'>>(
    path: P,
    ...[options]: Rest<Operation<'patch', P>>
  ): Promise<Answer<Operation<'patch', P>>> {
    return this.json('patch', path, options);
  }

  delete<P extends PathOf<'delete'>>(
    path: P,
    ...[options]: Rest<Operation<'delete', P>>
  ): Promise<Answer<Operation<'delete', P>>> {
    return this.json('delete', path, options);
  }

  /** Returns the raw response, for recordings, files, reports and transcripts as text. */
  download<P extends PathOf<'get'>>(path: P, ...[options]: Rest<Operation<'get', P>>): Promise<Response> {
    return this.request('get', path, options ?? {}, (response) => Promise.resolve(response));
  }

  /** Yields every item of a list, page by page, from `query.page` on. Items can repeat if the list grows while you read it. */
  async *each<P extends ListPath>(
    path: P,
    ...[options]: Rest<Operation<'get', P>>
  ): AsyncGenerator<Item<P>, void, undefined> {
    const given = (options ?? {}) as AnyRequest;
    for (let page = Number(given.query?.page ?? 1), isMore = true; isMore; page += 1) {
      const answer = await this.json<Page<Item<P>>>('get', path, {
        ...given,
        query: { ...given.query, page },
      });
      yield* answer.data ?? answer.campaigns ?? [];
      isMore = page < answer.pagination.total_pages;
    }
  }

  private json<T>(method: Method, path: string, options?: AnyRequest): Promise<T> {
    return this.request(method, path, options ?? {}, async (response) =>
      // A 204 response has no body to parse.
      response.status === 204 ? (undefined as T) : ((await response.json()) as T),
    );
  }

  private async request<T>(
    method: Method,
    path: string,
    given: AnyRequest,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const traits = (REQUESTS as Readonly<Record<string, Traits>>)[`${method} ${path}`] ?? {};
    const key = traits.idempotencyKey === true ? (given.idempotencyKey ?? crypto.randomUUID()) : undefined;
    const isSafe = IDEMPOTENT_METHODS.includes(method) || traits.reads === true || key !== undefined;
    const url = addressOf(this.options.baseUrl, path, given);
    const content = bodyOf(given.body, traits.form === true);
    const init = {
      method: method.toUpperCase(),
      headers: {
        ...(typeof content === 'string' && { 'Content-Type': 'application/json' }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
        ...given.headers,
        ...this.credentials(method),
      },
      ...(content !== undefined && { body: content }),
      ...(given.keepalive !== undefined && { keepalive: given.keepalive }),
    };
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.attempt(url, init, given.signal, read);
      if ('value' in outcome) return outcome.value;
      const { error, refusal, afterMs } = outcome;
      const waitMs = afterMs ?? backoffMs(attempt, this.retries, Math.random());
      const isLast = attempt >= this.retries.attempts || waitMs > this.retries.maxMs;
      if (isLast || !isRetried(refusal, isSafe)) throw error;
      await pause(waitMs, given.signal);
    }
  }

  private credentials(method: Method): Record<string, string> {
    if ('apiKey' in this.options) return { 'X-API-Key': this.options.apiKey };
    const token = method === 'get' ? null : this.options.csrfToken();
    return token === null ? {} : { 'X-CSRF-Token': token };
  }

  /** Throws only if the caller's own signal is aborted. */
  private async attempt<T>(
    url: string,
    init: RequestInit,
    signal: AbortSignal | undefined,
    read: (response: Response) => Promise<T>,
  ): Promise<Outcome<T>> {
    const { fetch = globalThis.fetch, timeoutMs = 30_000 } = this.options;
    const ended = new AbortController();
    const timer = setTimeout(() => ended.abort(new Error(`no response within ${timeoutMs} ms`)), timeoutMs);
    const signals = signal === undefined ? [ended.signal] : [ended.signal, signal];
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.any(signals) });
      if (response.ok) return { value: await read(response) };
      const error = errorOf(response.status, response.headers.get('x-request-id'), await contentOf(response));
      return {
        error,
        refusal: error,
        afterMs: retryAfterMs(response.headers.get('retry-after'), Date.now()),
      };
    } catch (cause) {
      signal?.throwIfAborted();
      return {
        error: new ConnectionError(`${init.method} ${url} got no response`, { cause }),
        refusal: null,
        afterMs: null,
      };
    } finally {
      clearTimeout(timer);
    }
  }
}

interface Page<T> {
  data?: T[];
  campaigns?: T[];
  pagination: { total_pages: number };
}

type Outcome<T> = { value: T } | { error: Error; refusal: ApiError | null; afterMs: number | null };

function addressOf(baseUrl: string, path: string, { path: names = {}, query = {} }: AnyRequest): string {
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = names[name];
    if (value === undefined || value === '') throw new TypeError(`${path} needs ${name}`);
    return encodeURIComponent(value);
  });
  const texts = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, String(value)]);
  const search = texts.length === 0 ? '' : `?${new URLSearchParams(texts).toString()}`;
  return baseUrl.replace(/\/$/, '') + filled + search;
}

/** Returns a form if the operation accepts only forms or the body contains a file, otherwise JSON. */
function bodyOf(body: unknown, isForm: boolean): string | FormData | undefined {
  if (body === undefined) return undefined;
  const fields = Object.entries(body as Record<string, unknown>).filter(([, value]) => value !== undefined);
  if (!isForm && !fields.some(([, value]) => value instanceof Blob)) return JSON.stringify(body);
  const form = new FormData();
  for (const [name, value] of fields) {
    if (value instanceof Blob)
      form.append(name, value, 'name' in value ? String(value.name) : 'contacts.csv');
    else form.append(name, String(value));
  }
  return form;
}

async function contentOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
    };
    signal?.addEventListener('abort', abort, { once: true });
    function done(): void {
      signal?.removeEventListener('abort', abort);
      resolve();
    }
  });
}
