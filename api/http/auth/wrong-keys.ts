import { validKeyMarks, type KeyMarks } from '../../../db/clients/api-keys';
import type { Db } from '../../../db/kernel/connection';

const WINDOW_MS = 60_000;
/** Looked up in a window of one address. More than any client that was given a wrong key sends before somebody sees it. */
export const MAX_WRONG_KEYS = 20;
/** The least recent are forgotten. A hundred bytes each. */
const MAX_ADDRESSES = 10_000;
/** How old what is known of the valid keys may be: a new key works after so long from an address above the limit too. */
const MARKS_LAST_MS = 2_000;

interface Window {
  failures: number;
  endsAt: number;
}

/**
 * Keeps wrong keys from the database. Above a limit for its address a key or a token is looked up only if its key can be valid: the marks of
 * all valid keys are read every two seconds at most, however many wrong keys come. So wrong keys do not affect a valid key of the same
 * address, and a revoked one is refused as ever.
 */
export class WrongKeys {
  private readonly windows = new Map<string, Window>();
  private marks: { read: Promise<KeyMarks>; at: number } | null = null;

  constructor(
    private readonly db: Db,
    private readonly maxAddresses: number = MAX_ADDRESSES,
  ) {}

  /** False for a key that is certainly wrong and need not be looked up. Fails as a look-up does when the database is away. */
  async mayBeValid(key: string, address: string, now: number): Promise<boolean> {
    const window = this.windows.get(address);
    if (window === undefined || window.endsAt <= now || window.failures < MAX_WRONG_KEYS) return true;
    return (await this.validMarks(now)).has(key);
  }

  /** A window begins with its first wrong key. */
  count(address: string, now: number): void {
    const known = this.windows.get(address);
    const window =
      known === undefined || known.endsAt <= now ? { failures: 0, endsAt: now + WINDOW_MS } : known;
    window.failures += 1;
    // Last in the order of the map: the first is the one that was quiet for longest.
    this.windows.delete(address);
    this.windows.set(address, window);
    if (this.windows.size <= this.maxAddresses) return;
    for (const oldest of this.windows.keys()) {
      this.windows.delete(oldest);
      return;
    }
  }

  private validMarks(now: number): Promise<KeyMarks> {
    if (this.marks !== null && Math.abs(now - this.marks.at) < MARKS_LAST_MS) return this.marks.read;
    const marks = { read: validKeyMarks(this.db, now), at: now };
    this.marks = marks;
    marks.read.catch(() => {
      if (this.marks === marks) this.marks = null;
    });
    return marks.read;
  }
}
