import type { Evidence } from './evidence';

export interface Answer {
  status: number;
  body: unknown;
}

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  /** Fields to record, and the JSON body unless there is a form. */
  fields?: Record<string, unknown>;
  form?: FormData;
  idempotencyKey?: string;
}

/** Longer than the API's slowest answer. */
const ANSWERED_WITHIN_MS = 10_000;
const ASKED_AGAIN_AFTER_MS = 400;

/** API client that records every request as evidence, including unanswered ones. */
export class RecordingClient {
  constructor(
    private readonly apiUrl: string,
    private readonly key: string,
    private readonly evidence: Evidence,
  ) {}

  /** Null if no answer came. */
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
   * Repeats the request until the answer is anything but "try later", or returns null when the time is up. Use it only for requests that
   * may be repeated.
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
      // Refused, cut or too late. The checker decides what that means.
      return null;
    }
  }
}

const isInProgress = ({ status, body }: Answer): boolean =>
  status === 409 && JSON.stringify(body).includes('IDEMPOTENCY_IN_PROGRESS');
