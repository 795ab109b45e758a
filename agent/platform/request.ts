import { setTimeout as sleep } from 'node:timers/promises';
import { RECORDING_UPLOAD_MS } from '../../domain/recording';

const RESPONSE_TIMEOUT_MS = 5_000;
const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([401, 408, 425, 429]);
const DELAYS_MS = [200, 500, 1_000, 2_000, 5_000];

export interface ApiAccess {
  apiUrl: string;
  /** The secret shared by all agents, or a token that is valid for one call. */
  secret: string;
}

export const callPath = (
  callId: string,
  below: '' | '/action-secrets' | '/claim' | '/events' | '/recording' | '/transfer' = '',
): string => `/api/carrier/calls/${encodeURIComponent(callId)}${below}`;

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  json?: unknown;
  /** The request body, sent without conversion. */
  audio?: { contentType: string; content: ReadableStream };
}

export type ApiResult =
  | { kind: 'ok'; body: unknown }
  /** A retry can't succeed. */
  | { kind: 'rejected'; status: number }
  /** The API was unreachable, overloaded, restarting or rotating the secret. */
  | { kind: 'unavailable'; status: number | null };

export async function requestApi({ apiUrl, secret }: ApiAccess, request: ApiRequest): Promise<ApiResult> {
  const { method, path, json, audio } = request;
  const type = audio?.contentType ?? (json === undefined ? null : 'application/json');
  try {
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${secret}`,
        ...(type === null ? {} : { 'Content-Type': type }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      ...(audio === undefined ? {} : { body: audio.content, duplex: 'half' }),
      redirect: 'error',
      signal: AbortSignal.timeout(audio === undefined ? RESPONSE_TIMEOUT_MS : RECORDING_UPLOAD_MS),
    });
    const text = await response.text();
    const { status } = response;
    if (response.ok) return { kind: 'ok', body: text === '' ? null : JSON.parse(text) };
    return status >= 500 || RETRYABLE_STATUSES.has(status)
      ? { kind: 'unavailable', status }
      : { kind: 'rejected', status };
  } catch {
    // The connection was refused, reset or timed out, or the body is not JSON. None of these is a valid response.
    return { kind: 'unavailable', status: null };
  }
}

/**
 * Retries while the API is unavailable, and returns the last result when the time limit is reached. An abort prevents the next attempt.
 */
export async function withRetries(
  ask: () => Promise<ApiResult>,
  { limitMs, signal }: { limitMs: number; signal?: AbortSignal },
): Promise<ApiResult> {
  const until = performance.now() + limitMs;
  for (let attempts = 0; ; attempts += 1) {
    const answer = await ask();
    const delayMs = DELAYS_MS[Math.min(attempts, DELAYS_MS.length - 1)] ?? 0;
    const isTimeUp = performance.now() + delayMs > until || signal?.aborted === true;
    if (answer.kind !== 'unavailable' || isTimeUp) return answer;
    await sleep(delayMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  }
}
