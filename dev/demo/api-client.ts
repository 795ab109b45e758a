/** Calls the platform as any API client does: over HTTP, with an API key. */
import type Joi from 'joi';
import { withOwnSignal, withTimeout } from '../../runtime/network/time-limit';

export interface ApiAccess {
  baseUrl: string;
  key: string;
  signal: AbortSignal;
}

/** The API returned an error, or a response that doesn't match its documentation. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';
}

const TIME_OUT_MS = 10_000;

/** Builds a request with an API key. `body` is sent as JSON unless it is a form. */
export function requestWith(key: string, method: string, body?: object | FormData): RequestInit {
  const isForm = body instanceof FormData;
  return {
    method,
    headers: { 'X-API-Key': key, ...(body && !isForm && { 'content-type': 'application/json' }) },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  };
}

export class ApiClient {
  constructor(private readonly access: ApiAccess) {}

  get<Answer>(path: string, shape: Joi.ObjectSchema<Answer>): Promise<Answer> {
    return this.ask('GET', path, shape);
  }

  /** `body` is sent as JSON unless it is a form. */
  post<Answer>(path: string, body: object | FormData, shape: Joi.ObjectSchema<Answer>): Promise<Answer> {
    return this.ask('POST', path, shape, body);
  }

  private async ask<Answer>(
    method: 'GET' | 'POST',
    path: string,
    shape: Joi.ObjectSchema<Answer>,
    body?: object | FormData,
  ): Promise<Answer> {
    const { baseUrl, key } = this.access;
    const { response, text } = await withOwnSignal(this.access.signal, (signal) => {
      const asked = async () => {
        const response = await fetch(`${baseUrl}${path}`, { ...requestWith(key, method, body), signal });
        return { response, text: await response.text() };
      };
      return withTimeout(TIME_OUT_MS, asked());
    });
    if (!response.ok) throw new UnexpectedAnswer(`${method} ${path} returned ${response.status}: ${text}`);
    return read(text, shape, `${method} ${path}`);
  }
}

function read<Answer>(text: string, shape: Joi.ObjectSchema<Answer>, what: string): Answer {
  const result = shape.validate(parsed(text, what), { convert: false, stripUnknown: true });
  if (result.error === undefined) return result.value;
  throw new UnexpectedAnswer(`${what} returned an unexpected response: ${result.error.message}`);
}

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnexpectedAnswer(`${what} did not return JSON`, { cause });
  }
}
