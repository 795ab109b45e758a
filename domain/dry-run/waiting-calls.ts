import type { DryContact } from './contact-queue';
import { Fifo } from './fifo';

/**
 * Calls before their line, in the order in which `grant_lines` chooses them: the longest wait first, then the file's row. No call waits
 * for another with its number, because a file's duplicates are not dialled.
 */
export class WaitingCalls {
  private readonly registered = new Fifo<DryContact>();
  /** They got a line and might not dial any more: they have waited longest. */
  private readonly returned = new Fifo<DryContact>();

  get size(): number {
    return this.returned.size + this.registered.size;
  }

  /** A page that was claimed together waits from the same instant. */
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
