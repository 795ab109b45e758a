/** A listener to live captions over a real socket. */
import { WebSocket } from 'ws';

export interface Closed {
  code: number;
  reason: string;
}

export interface ListenerOptions {
  autoPong?: boolean;
  headers?: Record<string, string>;
}

export class CaptionListener {
  readonly frames: any[] = [];
  readonly closed: Promise<Closed>;
  pings = 0;
  private readonly looking = new Set<() => void>();

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer, isBinary) => {
      this.frames.push(isBinary ? 'binary' : JSON.parse(data.toString()));
      this.look();
    });
    socket.on('ping', () => {
      this.pings += 1;
      this.look();
    });
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) =>
      socket.once('close', (code, reason) => {
        resolve({ code, reason: String(reason) });
        this.look();
      }),
    );
  }

  /**
   * Resolves once the history has arrived. Rejects with `{status, code, headers}` when the connection is
   * refused.
   */
  static async open(url: string, options: ListenerOptions = {}): Promise<CaptionListener> {
    const socket = new WebSocket(url, options);
    const listener = new CaptionListener(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('unexpected-response', (_request, response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => {
          const { detail } = JSON.parse(text);
          reject(
            Object.assign(new Error(text), {
              status: response.statusCode,
              code: Array.isArray(detail) ? detail[0].loc.join('.') : detail.code,
              headers: response.headers,
            }),
          );
        });
      });
      socket.once('error', reject);
    });
    await listener.until(({ types }) => types.includes('history'));
    return listener;
  }

  static async refusal(
    url: string,
    options: ListenerOptions = {},
  ): Promise<{ status: number; code: string; headers: any }> {
    const opened = await CaptionListener.open(url, options).catch((error: unknown) => error as any);
    if (opened instanceof CaptionListener) throw new Error('the connection was not refused');
    return opened;
  }

  get types(): string[] {
    return this.frames.map(({ type }) => type as string);
  }

  get history(): any[] {
    return this.frames.find(({ type }) => type === 'history').segments;
  }

  /** Final segments, history first. */
  get said(): any[] {
    return this.frames.flatMap(({ type, segment, segments }) =>
      type === 'history' ? segments : type === 'transcript' && segment.is_final ? [segment] : [],
    );
  }

  get seqs(): number[] {
    return this.said.map(({ seq }) => seq as number);
  }

  /** Checks the condition after each frame and ping, and when the socket closes. */
  async until(holds: (listener: CaptionListener) => boolean): Promise<void> {
    while (!holds(this)) {
      if (this.socket.readyState === WebSocket.CLOSED)
        throw new Error(`the socket closed after ${JSON.stringify(this.types)}`);
      await new Promise<void>((resolve) => this.looking.add(resolve));
    }
  }

  async frame(type: string): Promise<any> {
    await this.until(({ types }) => types.includes(type));
    return this.frames.find((frame) => frame.type === type);
  }

  close(): void {
    this.socket.terminate();
  }

  private look(): void {
    const looking = [...this.looking];
    this.looking.clear();
    for (const each of looking) each();
  }
}
