/** The live transcript of a call, from the `live_captions_url` of a dispatch. It needs no API key, so a browser can use the URL. */
import { ConnectionError } from './errors';
import type { CaptionFrame } from './generated';
import { backoffMs, RETRIES, type RetrySettings } from './retries';

/** The part of a WebSocket that the client uses. Browsers, Node 22 and later, and the package `ws` have one. */
export interface CaptionSocket {
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { code: number }) => void): void;
  addEventListener(type: 'error', listener: () => void): void;
  close(): void;
}

export interface CaptionOptions {
  /** Defaults to the runtime's WebSocket. Node 20 has none. */
  webSocket?: new (address: string) => CaptionSocket;
  /** The last `seq` that you already have. */
  after?: number;
  /** Limits the consecutive connections without a frame, after which `captions` throws. */
  retries?: RetrySettings;
  signal?: AbortSignal;
}

const CALL_IS_OVER = 1000;

/**
 * Yields the frames of a call until the call is over. Reopens a lost connection after the last segment, so each final segment comes once,
 * but interim ones can be missing. Throws a `ConnectionError` when the URL is rejected or unreachable.
 */
export async function* captions(
  address: string,
  options: CaptionOptions = {},
): AsyncGenerator<CaptionFrame, void, undefined> {
  const retries = { ...RETRIES, ...options.retries };
  let { after } = options;
  for (let failures = 0; ;) {
    const connection = new Connection(atSegment(address, after), options);
    try {
      for (let frame = await connection.next(); frame !== null; frame = await connection.next()) {
        failures = 0;
        after = lastSeq(frame) ?? after;
        yield frame;
        if (frame.type === 'call_ended') return;
      }
    } finally {
      connection.close();
    }
    options.signal?.throwIfAborted();
    if (connection.code === CALL_IS_OVER) return;
    failures += 1;
    if (failures >= retries.attempts) {
      throw new ConnectionError(`the captions closed with ${connection.code ?? 'no code'}`);
    }
    await new Promise((resolve) => setTimeout(resolve, backoffMs(failures, retries, Math.random())));
  }
}

/** Buffers frames until they are read. */
class Connection {
  code: number | null = null;
  private readonly frames: CaptionFrame[] = [];
  private isClosed = false;
  private wake: () => void = () => undefined;
  private readonly socket: CaptionSocket;

  constructor(address: string, { webSocket, signal }: CaptionOptions) {
    const Socket = webSocket ?? (globalThis as { WebSocket?: CaptionOptions['webSocket'] }).WebSocket;
    if (Socket === undefined) throw new TypeError('this runtime has no WebSocket: pass one as webSocket');
    this.socket = new Socket(address);
    this.socket.addEventListener('message', ({ data }) => {
      this.frames.push(JSON.parse(String(data)) as CaptionFrame);
      this.wake();
    });
    // The `close` event that follows has all the information.
    this.socket.addEventListener('error', () => undefined);
    this.socket.addEventListener('close', ({ code }) => {
      this.code = code;
      this.end();
    });
    if (signal?.aborted === true) this.end();
    signal?.addEventListener('abort', () => this.end(), { once: true });
  }

  /** Returns null once the connection is closed and all frames were read. */
  async next(): Promise<CaptionFrame | null> {
    while (this.frames.length === 0 && !this.isClosed) {
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    return this.frames.shift() ?? null;
  }

  close(): void {
    this.socket.close();
  }

  private end(): void {
    this.isClosed = true;
    this.wake();
  }
}

function atSegment(address: string, after: number | undefined): string {
  const url = new URL(address);
  if (after !== undefined) url.searchParams.set('after', String(after));
  return url.toString();
}

/** Returns undefined if the frame has no final segment. */
function lastSeq(frame: CaptionFrame): number | undefined {
  if (frame.type === 'history') return frame.segments.at(-1)?.seq ?? undefined;
  return frame.type === 'transcript' ? (frame.segment.seq ?? undefined) : undefined;
}
