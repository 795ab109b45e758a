import type { Evidence } from './evidence';

export interface Answer {
  status: number;
  body: unknown;
}

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  /** Fields to record. They are also the JSON body unless there is a form. */
  fields?: Record<string, unknown>;
  form?: FormData;
  idempotencyKey?: string;
}

/** Longer than the API's slowest response. */
const ANSWERED_WITHIN_MS = 10_000;
const ASKED_AGAIN_AFTER_MS = 400;

/** API client that records every request as evidence, including those that get no response. */
export class RecordingClient {
  constructor(
    private readonly apiUrl: string,
    private readonly key: string,
    private readonly evidence: Evidence,
  ) {}

  /** Returns null if no response arrived. */
  async send(request: ApiRequest): Promise<Answer | null> {
    const sentAt = new Date();
    const answer = await this.fetch(request);
    this.evidence.request({
      sent_at: sentAt.toISOString(),
      answered_at: new Date().toISOString(),
      method: request.method,
      path: request.path,
      status: answer?.status ?? null,
      body: answer?.body ?? null,
      request: request.fields ?? null,
    });
    return answer;
  }

  /**
   * Retries the request while the API responds "try later". Returns null when the time is up. Use it only for requests that are safe to
   * repeat.
   */
  async insist(request: ApiRequest, withinMs = 45_000): Promise<Answer | null> {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const answer = await this.send(request);
      if (answer !== null && answer.status !== 503 && !isInProgress(answer)) return answer;
      if (performance.now() > deadline) return null;
      await new Promise((resolve) => setTimeout(resolve, ASKED_AGAIN_AFTER_MS));
    }
  }

  private async fetch({ method, path, fields, form, idempotencyKey }: ApiRequest): Promise<Answer | null> {
    const body = form ?? (fields === undefined ? undefined : JSON.stringify(fields));
    try {
      const response = await fetch(`${this.apiUrl}${path}`, {
        method,
        headers: {
          'X-API-Key': this.key,
          ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
          ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        },
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
      });
      const text = await response.text();
      return { status: response.status, body: JSON.parse(text) };
    } catch {
      // The connection was refused or cut, or the response took too long. The checker decides what this means.
      return null;
    }
  }
}

const isInProgress = ({ status, body }: Answer): boolean =>
  status === 409 && JSON.stringify(body).includes('IDEMPOTENCY_IN_PROGRESS');
