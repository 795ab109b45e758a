import type { Evidence } from './evidence';

export interface Answer {
  status: number;
  body: unknown;
}

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  /** What is recorded of the request, and its JSON body unless there is a form. */
  fields?: Record<string, unknown>;
  form?: FormData;
  idempotencyKey?: string;
}

/** Beyond the longest answer of the API. */
const ANSWERED_WITHIN_MS = 10_000;
const ASKED_AGAIN_AFTER_MS = 400;

/** A client of the API, each of whose requests is in the evidence, the unanswered ones too. */
export class RecordingClient {
  constructor(
    private readonly apiUrl: string,
    private readonly key: string,
    private readonly evidence: Evidence,
  ) {}

  /** Null where no answer came. */
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

  /** Again until something else than "try later" is answered; null when the time is up. For what may be asked twice. */
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
      // Refused, cut or too late: what that means for the platform is the checker's to say.
      return null;
    }
  }
}

const isInProgress = ({ status, body }: Answer): boolean =>
  status === 409 && JSON.stringify(body).includes('IDEMPOTENCY_IN_PROGRESS');
