import { WebSocket } from 'ws';
import type { Drop } from '../../http/observability/caption-metrics';
import { assertNever } from '../../../domain/assert-never';

/** What may wait for a listener beyond its history. A line is less than a kilobyte. */
const MOST_WAITING_BYTES = 1024 * 1024;
/** Beyond it what is worth nothing a second later is left out. */
const MOST_WAITING_FOR_UPDATES_BYTES = 64 * 1024;
/** Of a listener between two pings: it has nothing to send. */
const MOST_MESSAGES = 100;
/** Its last frames go out before; a client that does not answer the close by then is cut. */
export const CLOSE_WITHIN_MS = 2_000;

export interface ListenerOptions {
  /** The last segment that it has. */
  seq: number;
  knowsOfAnswer: boolean;
  /** The token of the console session that it came with; null where the address was signed. */
  session: string | null;
  closed: (listener: Listener, drop: Drop | null) => void;
}

/** One socket. The fields are few, and what all share is elsewhere: a process may hold thousands that are sent nothing for an hour. */
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
    // The socket closes after it; a frame that is too large or no frame ends it by the library's own close.
    socket.on('error', () => undefined);
    socket.once('close', () => closed(this, this.drop));
  }

  /** However long it is: it is sent once. */
  sendHistory(frame: Buffer): void {
    this.socket.send(frame, { binary: false });
    this.historyBytes = frame.length;
  }

  /** What must not be missed: who is too slow for it is cut, and may come back with `after`. */
  send(frame: Buffer): void {
    if (this.socket.bufferedAmount - this.historyBytes > MOST_WAITING_BYTES) this.cut('slow');
    else if (this.socket.readyState === WebSocket.OPEN) this.socket.send(frame, { binary: false });
  }

  sendUpdate(frame: Buffer): void {
    if (this.socket.bufferedAmount <= MOST_WAITING_FOR_UPDATES_BYTES) this.send(frame);
  }

  /** Asks for a sign of life; cut where there was none since it was asked last. */
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
    setTimeout(() => this.socket.terminate(), CLOSE_WITHIN_MS).unref();
  }

  private countMessage(): void {
    this.messages += 1;
    if (this.messages > MOST_MESSAGES) this.cut('noisy');
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
