/** Sends an organization's REST requests to the deployment. */
import { networkInterfaces } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { requestWith } from '../../../dev/demo/api-client';
import { errorText } from '../../../dev/error-text';

export const ORIGIN = 'http://127.0.0.1:8080';
export const LIVEKIT_PORT = 7880;
export const WEB_UI = 'http://127.0.0.1:8233';
export const SIP_PORT = 5060;
export const TRUNK_PORT = 5062;

/** Returns an IPv4 address of the machine that doesn't belong to a container network. @throws Error if there is none */
export function machineAddress(): string {
  const links = Object.entries(networkInterfaces()).filter(([name]) => !/^(?:docker|br-|veth)/.test(name));
  const addresses = links.flatMap(([, found = []]) => found);
  const outer = addresses.find(({ family, internal }) => family === 'IPv4' && !internal);
  if (outer === undefined) throw new Error('the machine has no IPv4 address besides 127.0.0.1');
  return outer.address;
}

const EVERY_MS = 500;

/** Calls `ask` repeatedly until it returns a value and doesn't throw. @throws Error with the last error */
export async function until<T>(
  what: string,
  withinMs: number,
  ask: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (let reason = ''; ;) {
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
    } catch (error) {
      reason = `: ${errorText(error)}`;
    }
    if (performance.now() > deadline)
      throw new Error(`${what} did not happen within ${withinMs / 1000} s${reason}`);
    await delay(EVERY_MS);
  }
}

/** @throws Error with both values if they differ */
export function expectEqual(what: string, found: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  if (one !== other) throw new Error(`${what}: expected ${other}, found ${one}`);
}

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

interface ApiResponse {
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

  async ask(method: string, path: string, body?: object): Promise<ApiResponse> {
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
    const response = await this.ask(method, path, body);
    // Doesn't validate the response's shape, because other suites do.
    if (response.status >= 200 && response.status < 300) return response.body as Answer;
    throw new Error(`${method} ${path} returned ${response.status}: ${JSON.stringify(response.body)}`);
  }
}
