/** Sends requests that a well-behaved HTTP client wouldn't, over kept-alive connections. */
import { Agent, request, type IncomingHttpHeaders } from 'node:http';

export interface WireRequest {
  method: string;
  /** Sent unchanged; each character is one byte. */
  path: string;
  headers: [name: string, value: string][];
  body: Buffer | null;
}

export interface WireAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  tookMs: number;
}

export class Wire {
  private readonly agent: Agent;
  private readonly url: URL;

  constructor(url: string, { connections }: { connections: number }) {
    this.url = new URL(url);
    this.agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  close(): void {
    this.agent.destroy();
  }

  /** Retries once if the service had closed the idle connection. */
  async send(asked: WireRequest, withinMs: number): Promise<WireAnswer> {
    try {
      return await this.sendOnce(asked, withinMs);
    } catch (error) {
      if (!(error instanceof Error && 'isReused' in error && error.isReused === true)) throw error;
      return this.sendOnce(asked, withinMs);
    }
  }

  private sendOnce(asked: WireRequest, withinMs: number): Promise<WireAnswer> {
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          host: this.url.hostname,
          port: this.url.port,
          agent: this.agent,
          method: asked.method,
          path: asked.path,
          headers: [['Host', this.url.host], ...lengthOf(asked), ...asked.headers].flat(),
          signal: AbortSignal.timeout(withinMs),
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: Buffer.concat(chunks).toString(),
              tookMs: performance.now() - startedAt,
            }),
          );
        },
      );
      sent.on('error', (error) => reject(Object.assign(error, { isReused: sent.reusedSocket })));
      sent.end(asked.body ?? undefined);
    });
  }
}

/** Adds Content-Length, which Node omits if the headers are given as a list. A chunked request has none. */
function lengthOf({ body, headers }: WireRequest): [name: string, value: string][] {
  const isChunked = headers.some(([name]) => name.toLowerCase() === 'transfer-encoding');
  return body === null || isChunked ? [] : [['Content-Length', String(body.length)]];
}

/** Prints the same request as a curl command. */
export function curlOf(url: string, { method, path, headers, body }: WireRequest): string {
  const quoted = (text: string) => `$'${[...Buffer.from(text, 'latin1')].map(shellByte).join('')}'`;
  const options = headers.map(([name, value]) => ` -H ${quoted(`${name}: ${value}`)}`).join('');
  const target = ` --path-as-is ${quoted(url + path)}`;
  const command = `curl -i -X ${method}${options}`;
  if (body === null) return command + target;
  return `base64 -d <<< ${body.toString('base64')} | ${command} --data-binary @-${target}`;
}

function shellByte(byte: number): string {
  const character = String.fromCharCode(byte);
  return /[ -~]/.test(character) && !/['\\]/.test(character)
    ? character
    : `\\x${byte.toString(16).padStart(2, '0')}`;
}
