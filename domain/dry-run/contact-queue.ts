/** Contacts without an open call, in the order in which `claim_page` claims them. */
import type { BegunContact } from './plan';
import { PriorityQueue, Fifo } from './queues';

export interface DryContact {
  /** Row number in the file. */
  readonly row: number;
  /** Number of dials so far. */
  attempts: number;
  /** Whether the number is on a do-not-disturb list. Null until the first dial checks it. */
  isListed: boolean | null;
}

interface Redial {
  dueAt: number;
  contact: DryContact;
}

const dueFirst = (one: Redial, other: Redial): boolean =>
  one.dueAt < other.dueAt || (one.dueAt === other.dueAt && one.contact.row < other.contact.row);

export class ContactQueue {
  private readonly firstDials: Fifo<DryContact>;
  private readonly due = new Fifo<DryContact>();
  private readonly later = new PriorityQueue<Redial>(dueFirst);

  /** `rows` must be in the order of the file. */
  constructor(rows: readonly number[], begun: readonly BegunContact[] = []) {
    this.firstDials = new Fifo(rows.map((row) => ({ row, attempts: 0, isListed: null })));
    for (const { dueAt, ...contact } of begun) this.dialAgain({ ...contact, isListed: null }, dueAt);
  }

  get size(): number {
    return this.firstDials.size + this.due.size + this.later.size;
  }

  dialAgain(contact: DryContact, dueAt: number): void {
    this.later.push({ dueAt, contact });
  }

  /** Takes at most `limit` contacts. Due redials come first, ordered by due time, then first dials ordered by row. */
  claim(now: number, limit: number): DryContact[] {
    this.fallDue(now);
    const redials = this.due.take(limit);
    return [...redials, ...this.firstDials.take(limit - redials.length)];
  }

  /** Returns when the next future redial is due. */
  nextDueAt(now: number): number | null {
    this.fallDue(now);
    return this.later.peek()?.dueAt ?? null;
  }

  takeAll(): DryContact[] {
    this.fallDue(Infinity);
    return [...this.due.take(Infinity), ...this.firstDials.take(Infinity)];
  }

  private fallDue(now: number): void {
    for (let next = this.later.peek(); next !== undefined && next.dueAt <= now; next = this.later.peek()) {
      this.due.push(next.contact);
      this.later.pop();
    }
  }
}
