/** Sends an organization's REST requests. */
import { requestWith } from '../../../dev/demo/api-client';
import { ORIGIN } from './addresses';

/** Fields of a call in the history that the steps read. */
export interface Call {
  call_id: string;
  call_type: string;
  call_status: string;
  from_number: string;
  to_number: string;
  End_time: string | null;
  duration_ms: number;
}

const ANSWERED_WITHIN_MS = 30_000;

export interface Asked {
  status: number;
  body: unknown;
}

export class Api {
  constructor(readonly key: string) {}

  /** @throws Error with the response if the status is not 2xx */
  get<Answer>(path: string): Promise<Answer> {
    return this.checked('GET', path);
  }

  send<Answer>(method: 'POST' | 'PATCH', path: string, body: object = {}): Promise<Answer> {
    return this.checked(method, path, body);
  }

  async ask(method: string, path: string, body?: object): Promise<Asked> {
    const response = await fetch(`${ORIGIN}${path}`, {
      ...requestWith(this.key, method, body),
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
    };
  }

  /** Returns the first matching call in the history, or undefined if it has no row yet. */
  async call(holds: (call: Call) => boolean): Promise<Call | undefined> {
    const { data } = await this.get<{ data: Call[] }>('/api/call-history?page_size=200');
    return data.find(holds);
  }

  private async checked<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const asked = await this.ask(method, path, body);
    // Doesn't validate the response's shape, because other suites do.
    if (asked.status >= 200 && asked.status < 300) return asked.body as Answer;
    throw new Error(`${method} ${path} returned ${asked.status}: ${JSON.stringify(asked.body)}`);
  }
}
