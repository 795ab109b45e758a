/** The received pieces of one reply that have not been read yet. */
import { withTimeout } from '../../runtime/network/time-limit';
import { NoAnswer } from './no-answer';

export interface ReplyPart {
  content: string;
  isComplete: boolean;
  endsCall: boolean;
}

export class ReplyQueue {
  private readonly parts: ReplyPart[] = [];
  private failure: NoAnswer | null = null;
  private isEnded = false;
  private wake: () => void = () => undefined;

  put(part: ReplyPart): void {
    this.parts.push(part);
    this.wake();
  }

  /** Takes effect after the queued pieces. */
  fail(failure: NoAnswer): void {
    this.failure ??= failure;
    this.wake();
  }

  /** Discards the reply. */
  end(): void {
    this.isEnded = true;
    this.wake();
  }

  /** Returns null once the queue was ended. Throws `NoAnswer` when nothing arrives in time, or the reply failed. */
  async next(withinMs: number): Promise<ReplyPart | null> {
    if (this.parts.length === 0 && this.failure === null && !this.isEnded) await this.woken(withinMs);
    if (this.isEnded) return null;
    const part = this.parts.shift();
    if (part !== undefined) return part;
    throw this.failure ?? new NoAnswer('timed out', `the server said nothing for ${Math.round(withinMs)} ms`);
  }

  private async woken(withinMs: number): Promise<void> {
    const woken = new Promise<void>((resolve) => (this.wake = resolve));
    await withTimeout(withinMs, woken, () => undefined);
    this.wake = () => undefined;
  }
}
