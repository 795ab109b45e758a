/** Contacts without an open call, in the order in which `claim_page` claims them. */
import type { BegunContact } from './plan';
import { PriorityQueue, Fifo } from './queues';

export interface DryContact {
  /** Row number in the file. */
  readonly row: number;
  /** Key of its time zones. */
  readonly zone: string;
  /** Number of dials so far. */
  attempts: number;
  /** When the dry run dialled it. */
  readonly dials: number[];
  /** Whether the number is on a do-not-disturb list. Null until the first dial checks it. */
  isListed: boolean | null;
}

interface Redial {
  dueAt: number;
  contact: DryContact;
}

const dueFirst = (one: Redial, other: Redial): boolean =>
  one.dueAt < other.dueAt || (one.dueAt === other.dueAt && one.contact.row < other.contact.row);

const rowFirst = (one: DryContact, other: DryContact): boolean => one.row < other.row;

/** Contacts of one zone that can be claimed while their window is open. */
interface Lane {
  firstDials: Fifo<DryContact>;
  due: Fifo<Redial>;
}

export class ContactQueue {
  private readonly lanes = new Map<string, Lane>();
  private readonly later = new PriorityQueue<Redial>(dueFirst);
  /** Number of contacts by zone. */
  private readonly counts = new Map<string, number>();
  private total = 0;

  /** `rows` must be in the order of the file. */
  constructor(
    rows: readonly number[],
    begun: readonly BegunContact[] = [],
    zoneOf: (row: number) => string = () => '',
  ) {
    for (const row of rows) {
      const zone = zoneOf(row);
      this.laneOf(zone).firstDials.push({ row, zone, attempts: 0, dials: [], isListed: null });
      this.count(zone, 1);
    }
    for (const { row, attempts, dueAt } of begun)
      this.dialAgain({ row, zone: zoneOf(row), attempts, dials: [], isListed: null }, dueAt);
  }

  get size(): number {
    return this.total;
  }

  /** Zones with at least one contact. */
  get zones(): string[] {
    return [...this.counts.keys()];
  }

  dialAgain(contact: DryContact, dueAt: number): void {
    this.later.push({ dueAt, contact });
    this.count(contact.zone, 1);
  }

  /**
   * Takes at most `limit` contacts of the open zones; null means all zones. Due redials come first, ordered by due time, then first dials
   * ordered by row.
   */
  claim(now: number, limit: number, openZones: readonly string[] | null = null): DryContact[] {
    this.fallDue(now);
    const zones = openZones ?? [...this.lanes.keys()];
    const lanes = zones.flatMap((zone) => this.lanes.get(zone) ?? []);
    const due = lanes.map((lane) => lane.due);
    const firstDials = lanes.map((lane) => lane.firstDials);
    const page: DryContact[] = [];
    while (page.length < limit) {
      const contact = takeFirst(due, dueFirst)?.contact ?? takeFirst(firstDials, rowFirst);
      if (contact === undefined) break;
      this.count(contact.zone, -1);
      page.push(contact);
    }
    return page;
  }

  /** Returns when the next future redial is due. */
  nextDueAt(now: number): number | null {
    this.fallDue(now);
    return this.later.peek()?.dueAt ?? null;
  }

  takeAll(): DryContact[] {
    return this.claim(Infinity, Infinity);
  }

  private fallDue(now: number): void {
    for (let next = this.later.peek(); next !== undefined && next.dueAt <= now; next = this.later.peek()) {
      this.laneOf(next.contact.zone).due.push(next);
      this.later.pop();
    }
  }

  private laneOf(zone: string): Lane {
    const lane = this.lanes.get(zone) ?? { firstDials: new Fifo(), due: new Fifo() };
    this.lanes.set(zone, lane);
    return lane;
  }

  private count(zone: string, change: number): void {
    const contacts = (this.counts.get(zone) ?? 0) + change;
    if (contacts === 0) this.counts.delete(zone);
    else this.counts.set(zone, contacts);
    this.total += change;
  }
}

/** Takes the item that comes first in all queues. */
function takeFirst<T>(queues: readonly Fifo<T>[], isBefore: (one: T, other: T) => boolean): T | undefined {
  let first: Fifo<T> | undefined;
  let head: T | undefined;
  for (const queue of queues) {
    const item = queue.peek();
    if (item === undefined || (head !== undefined && !isBefore(item, head))) continue;
    first = queue;
    head = item;
  }
  return first?.take(1)[0];
}
