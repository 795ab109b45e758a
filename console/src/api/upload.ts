/**
 * Returns a replacement of `fetch` that reports which share of the body is sent, from 0 to 1. The browser's own `fetch` reports nothing
 * while it sends.
 */
export const fetchWithProgress =
  (onProgress: (share: number) => void) =>
  (url: string, { method = 'GET', headers, body, signal }: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, url);
      new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value));
      request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
      request.onload = () =>
        resolve(new Response(request.responseText, { status: request.status, headers: headersOf(request) }));
      request.onerror = () => reject(new TypeError('The upload failed'));
      request.onabort = request.onerror;
      signal?.addEventListener('abort', () => request.abort(), { once: true });
      request.send((body ?? null) as XMLHttpRequestBodyInit | null);
    });

/** Headers that the client reads. */
const READ_HEADERS = ['x-request-id', 'retry-after'];

const headersOf = (request: XMLHttpRequest): [string, string][] =>
  READ_HEADERS.flatMap((name): [string, string][] => {
    const value = request.getResponseHeader(name);
    return value === null ? [] : [[name, value]];
  });
