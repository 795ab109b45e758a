/** One request to the API, and what its answer means for trying again. */
const ANSWER_WITHIN_MS = 5_000;
/** Of a recording: the largest over ten megabits a second takes three minutes. */
const UPLOAD_WITHIN_MS = 240_000;

export interface ApiAccess {
  apiUrl: string;
  carrierSecret: string;
}

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  json?: unknown;
  /** Sent as it is. */
  audio?: { contentType: string; content: ReadableStream };
}

export type ApiAnswer =
  | { kind: 'done'; body: unknown }
  /** No other try will do better. */
  | { kind: 'refused'; status: number }
  /** Not reached, overloaded, restarting, or given another secret for a moment. */
  | { kind: 'away'; status: number | null };

const PASSING: ReadonlySet<number> = new Set([401, 408, 425, 429]);

export async function askApi({ apiUrl, carrierSecret }: ApiAccess, request: ApiRequest): Promise<ApiAnswer> {
  const { method, path, json, audio } = request;
  const type = audio?.contentType ?? (json === undefined ? null : 'application/json');
  try {
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${carrierSecret}`,
        ...(type === null ? {} : { 'Content-Type': type }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      ...(audio === undefined ? {} : { body: audio.content, duplex: 'half' }),
      redirect: 'error',
      signal: AbortSignal.timeout(audio === undefined ? ANSWER_WITHIN_MS : UPLOAD_WITHIN_MS),
    });
    const text = await response.text();
    const { status } = response;
    if (response.ok) return { kind: 'done', body: text === '' ? null : JSON.parse(text) };
    return status >= 500 || PASSING.has(status) ? { kind: 'away', status } : { kind: 'refused', status };
  } catch {
    // Refused, reset, silent, or no JSON: what there is to know is that there was no answer.
    return { kind: 'away', status: null };
  }
}
