import { WebSocket } from 'ws';
import type { CaptionedCall } from '../../../db/calls/live-captions';
import { assertNever } from '../../../domain/assert-never';
import type { LiveItem } from '../../../domain/live-updates';
import type { Drop } from '../../http/metrics';
import { endFrame, liveFrame, startFrame, transcriptFrame, type CaptionFrame } from './frames';

/** The last words often arrive just after the end, because speech recognition still runs while another component reports the end. */
const DRAIN_MS = 1_500;

/** The listeners of one call in this process. */
export class Audience {
  readonly listeners = new Set<Listener>();
  /** Number of listeners whose history is being read. */
  held = 0;
  /** Number of notifications of the call so far, so that a reader can tell if it missed any. */
  notifications = 0;
  /** Resolves once every write to the call triggers a notification. Null until requested. */
  registration: Promise<void> | null = null;
  private overSince: number | null = null;

  constructor(readonly callId: string) {}

  get isEmpty(): boolean {
    return this.listeners.size === 0 && this.held === 0;
  }

  /** Last segment that every listener has received. */
  get seq(): number {
    let min = Infinity;
    for (const { seq } of this.listeners) min = Math.min(min, seq);
    return min === Infinity ? 0 : min;
  }

  /**
   * `after` is the cursor that the segments were read from. Returns true if a listener that joined since then lacks earlier segments, so
   * that the call must be read again.
   */
  deliver(call: CaptionedCall, after: number): boolean {
    const frames = call.segments.map((segment) => ({
      seq: segment.seq,
      frame: bytes(transcriptFrame(call, segment)),
    }));
    const start = call.answeredAt && bytes(startFrame(call, call.answeredAt));
    let isMissing = false;
    for (const listener of this.listeners) {
      if (start !== null && !listener.knowsOfAnswer) {
        listener.knowsOfAnswer = true;
        listener.send(start);
      }
      if (listener.seq < after) isMissing = true;
      else sendSegments(listener, frames);
    }
    return isMissing;
  }

  sendUpdate(item: LiveItem): void {
    const frame = liveFrame(item, this.seq);
    if (frame === null) return;
    const data = bytes(frame);
    for (const listener of this.listeners) listener.sendUpdate(data);
  }

  /** Returns how long to wait for the last segments, or 0. `now` must come from the clock that wrote `endedAt`. */
  drainsInMs({ endedAt }: CaptionedCall, now: number): number {
    if (endedAt !== null && now - endedAt.getTime() >= DRAIN_MS) return 0;
    // Count from when this process learned of the end, so that clock differences don't matter.
    this.overSince ??= performance.now();
    return Math.max(0, this.overSince + DRAIN_MS - performance.now());
  }

  end(call: CaptionedCall): void {
    const frame = bytes(endFrame(call));
    for (const listener of this.listeners) {
      listener.send(frame);
      listener.close('call ended');
    }
    // Remove the listeners, because a later read may find more segments but nothing may follow the end frame.
    this.listeners.clear();
  }
}

function sendSegments(listener: Listener, frames: readonly { seq: number; frame: Buffer }[]): void {
  for (const { seq, frame } of frames) {
    if (seq <= listener.seq) continue;
    listener.seq = seq;
    listener.send(frame);
  }
}

export const bytes = (frame: CaptionFrame): Buffer => Buffer.from(JSON.stringify(frame));

/** Unsent bytes that a listener may accumulate, besides its history. A frame is less than a kilobyte. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** Above this, live updates are skipped because they are worthless a second later. */
const MAX_WAITING_FOR_UPDATES_BYTES = 64 * 1024;
/** Messages that a listener may send between two pings. Normal listeners send none. */
const MAX_MESSAGES = 100;
/** Time to send the last frames. A client that hasn't answered the close by then is disconnected. */
export const CLOSE_TIMEOUT_MS = 2_000;

interface ListenerOptions {
  /** Last segment that the listener has received. */
  seq: number;
  knowsOfAnswer: boolean;
  /** The token of the console session; null if the URL was signed. */
  session: string | null;
  closed: (listener: Listener, drop: Drop | null) => void;
}

/** The socket of a listener. Keep it small, because a process may hold thousands of idle ones. */
export class Listener {
  seq: number;
  knowsOfAnswer: boolean;
  readonly session: string | null;
  private isAlive = true;
  private messages = 0;
  private drop: Drop | null = null;
  private historyBytes = 0;

  constructor(
    private readonly socket: WebSocket,
    { seq, knowsOfAnswer, session, closed }: ListenerOptions,
  ) {
    this.seq = seq;
    this.knowsOfAnswer = knowsOfAnswer;
    this.session = session;
    socket.on('pong', () => (this.isAlive = true));
    socket.on('message', () => this.countMessage());
    // A close event follows. On a protocol error the library closes the socket itself.
    socket.on('error', () => undefined);
    socket.once('close', () => closed(this, this.drop));
  }

  /** Has no size limit because it is sent only once. */
  sendHistory(frame: Buffer): void {
    this.socket.send(frame, { binary: false });
    this.historyBytes = frame.length;
  }

  /** Sends a frame that must not be missed. A listener that reads too slowly is disconnected and can resume with `after`. */
  send(frame: Buffer): void {
    if (this.socket.bufferedAmount - this.historyBytes > MAX_WAITING_BYTES) this.cut('slow');
    else if (this.socket.readyState === WebSocket.OPEN) this.socket.send(frame, { binary: false });
  }

  sendUpdate(frame: Buffer): void {
    if (this.socket.bufferedAmount <= MAX_WAITING_FOR_UPDATES_BYTES) this.send(frame);
  }

  /** Pings the listener, or disconnects it if it didn't answer the previous ping. */
  beat(): void {
    this.messages = 0;
    if (this.socket.bufferedAmount === 0) this.historyBytes = 0;
    if (!this.isAlive) {
      this.cut('silent');
      return;
    }
    this.isAlive = false;
    if (this.socket.readyState === WebSocket.OPEN) this.socket.ping();
  }

  close(why: Closing): void {
    this.socket.close(codeOf(why), why);
    setTimeout(() => this.socket.terminate(), CLOSE_TIMEOUT_MS).unref();
  }

  private countMessage(): void {
    this.messages += 1;
    if (this.messages > MAX_MESSAGES) this.cut('noisy');
  }

  private cut(drop: Drop): void {
    this.drop ??= drop;
    this.socket.terminate();
  }
}

type Closing = 'call ended' | 'restart' | 'session ended';

function codeOf(why: Closing): number {
  switch (why) {
    case 'call ended':
      return 1000;
    case 'restart':
      return 1012;
    case 'session ended':
      return 1008;
    default:
      return assertNever(why);
  }
}
