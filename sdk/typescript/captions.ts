/** The live transcript of a call, from the `live_captions_url` of a dispatch. It needs no key: a browser may have the address. */
import { ConnectionError } from './errors';
import type { CaptionFrame } from './generated';
import { backoffMs, RETRIES, type RetrySettings } from './retries';

/** As browsers, Node from 22 on and the package `ws` have it. */
export interface CaptionSocket {
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { code: number }) => void): void;
  addEventListener(type: 'error', listener: () => void): void;
  close(): void;
}

export interface CaptionOptions {
  /** The runtime's own unless given; Node 20 has none. */
  webSocket?: new (address: string) => CaptionSocket;
  /** The last `seq` that is known already. */
  after?: number;
  /** Connections in a row that bring nothing, before the listening fails. */
  retries?: RetrySettings;
  signal?: AbortSignal;
}

const CALL_IS_OVER = 1000;

/**
 * The frames of a call until it is over. A connection that is lost is opened again after the last segment that came: each final segment
 * comes once, while interim ones may be missing. Throws a `ConnectionError` for an address that is refused or cannot be reached.
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

/** Keeps what came until it is asked for. */
class Connection {
  code: number | null = null;
  private readonly frames: CaptionFrame[] = [];
  private isClosed = false;
  private wake: () => void = () => undefined;
  private readonly socket: CaptionSocket;

  constructor(address: string, { webSocket, signal }: CaptionOptions) {
    const Socket = webSocket ?? (globalThis as { WebSocket?: CaptionOptions['webSocket'] }).WebSocket;
    if (Socket === undefined) throw new TypeError('this runtime has no WebSocket: give one as webSocket');
    this.socket = new Socket(address);
    this.socket.addEventListener('message', ({ data }) => {
      this.frames.push(JSON.parse(String(data)) as CaptionFrame);
      this.wake();
    });
    // The close that follows says all that there is to know.
    this.socket.addEventListener('error', () => undefined);
    this.socket.addEventListener('close', ({ code }) => {
      this.code = code;
      this.end();
    });
    if (signal?.aborted === true) this.end();
    signal?.addEventListener('abort', () => this.end(), { once: true });
  }

  /** Null once it is closed and everything that came was taken. */
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

/** Undefined where it brought no final segment. */
function lastSeq(frame: CaptionFrame): number | undefined {
  if (frame.type === 'history') return frame.segments.at(-1)?.seq ?? undefined;
  return frame.type === 'transcript' ? (frame.segment.seq ?? undefined) : undefined;
}
