import type { DryContact } from './contact-queue';
import { Fifo } from './fifo';

/**
 * Calls that wait for a line, in the order of `grant_lines`: the longest wait first, then by row. The rule of one live call per number is left
 * out, because a file's duplicates are not dialled.
 */
export class WaitingCalls {
  private readonly registered = new Fifo<DryContact>();
  /** Calls that got a line but could no longer dial. They have waited longest. */
  private readonly returned = new Fifo<DryContact>();

  get size(): number {
    return this.returned.size + this.registered.size;
  }

  /** All calls of a page wait from the same instant. */
  register(page: readonly DryContact[]): void {
    for (const contact of [...page].sort((a, b) => a.row - b.row)) this.registered.push(contact);
  }

  giveBack(contact: DryContact): void {
    this.returned.push(contact);
  }

  take(limit: number): DryContact[] {
    const first = this.returned.take(limit);
    return [...first, ...this.registered.take(limit - first.length)];
  }
}
