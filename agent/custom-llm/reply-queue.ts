/** What the server has said of one reply and nobody has read yet. */
import { NoAnswer } from './no-answer';

export interface ReplyPart {
  content: string;
  isComplete: boolean;
  endsCall: boolean;
}

export class ReplyQueue {
  private readonly parts: ReplyPart[] = [];
  private failure: NoAnswer | null = null;
  private isOver = false;
  private wake: () => void = () => undefined;

  put(part: ReplyPart): void {
    this.parts.push(part);
    this.wake();
  }

  /** After what is there already. */
  fail(failure: NoAnswer): void {
    this.failure ??= failure;
    this.wake();
  }

  /** Nobody waits for the reply any more. */
  end(): void {
    this.isOver = true;
    this.wake();
  }

  /** Null once it was ended. Throws `NoAnswer` where nothing comes in time, or it failed. */
  async next(withinMs: number): Promise<ReplyPart | null> {
    if (this.parts.length === 0 && this.failure === null && !this.isOver) await this.woken(withinMs);
    if (this.isOver) return null;
    const part = this.parts.shift();
    if (part !== undefined) return part;
    throw this.failure ?? new NoAnswer('timed out', `the server said nothing for ${Math.round(withinMs)} ms`);
  }

  private async woken(withinMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.wake = () => undefined;
  }
}
