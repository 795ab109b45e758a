import http from 'node:http';
import https from 'node:https';

/** `status` is null if no response came in time. */
export interface PostResult {
  status: number | null;
  body: string;
}

export interface Poster {
  /** Never rejects. If the receiver can't be reached, the result shows it. */
  post(url: string, body: string): Promise<PostResult>;
  close(): void;
}

const NO_ANSWER: PostResult = { status: null, body: '' };
/** Larger than any response that is read. Only decisions about inbound calls are read, and they are small. */
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * Posts JSON over kept-alive connections. It uses plain `http`, because each call sends eight events and fetch takes several times the CPU
 * time.
 */
export function createPoster(options: { secret: string; timeoutMs: number }): Poster {
  const agents = {
    http: new http.Agent({ keepAlive: true }),
    https: new https.Agent({ keepAlive: true }),
  };
  const headersFor = (body: string) => ({
    authorization: `Bearer ${options.secret}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });

  const postOnce = (url: string, body: string): Promise<PostResult & { staleSocket?: boolean }> =>
    new Promise((resolve) => {
      const secure = url.startsWith('https:');
      const request = (secure ? https : http).request(url, {
        method: 'POST',
        agent: secure ? agents.https : agents.http,
        headers: headersFor(body),
      });
      const timer = setTimeout(() => request.destroy(new Error('timed out')), options.timeoutMs);
      const settle = (result: PostResult & { staleSocket?: boolean }) => {
        clearTimeout(timer);
        resolve(result);
      };
      request.on('error', (error: NodeJS.ErrnoException) =>
        settle({ ...NO_ANSWER, staleSocket: request.reusedSocket && error.code === 'ECONNRESET' }),
      );
      request.on('response', (response) => readAnswer(response, settle));
      request.end(body);
    });

  return {
    async post(url, body) {
      const first = await postOnce(url, body);
      // The receiver closed an idle connection just when this request used it, so the request wasn't sent.
      return first.staleSocket === true ? postOnce(url, body) : first;
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

function readAnswer(response: http.IncomingMessage, settle: (result: PostResult) => void): void {
  let body = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    if (body.length < MAX_ANSWER_BYTES) body += chunk;
  });
  response.on('end', () => settle({ status: response.statusCode ?? null, body }));
  response.on('error', () => settle(NO_ANSWER));
}
