import { validKeyHashPrefixes, type KeyHashPrefixes } from '../../../db/organizations/api-keys';
import type { Db } from '../../../db/kernel/connection';

const WINDOW_MS = 60_000;
/** Wrong keys from one address that are looked up per window. A misconfigured client sends fewer before its operator notices. */
export const MAX_WRONG_KEYS = 20;
/** The least recently used addresses are dropped. An entry takes about 100 bytes. */
const MAX_ADDRESSES = 10_000;
/** How long the marks of valid keys are cached. From an address above the limit, a new key can fail for this long. */
const MARKS_LAST_MS = 2_000;

interface Window {
  failures: number;
  endsAt: number;
}

/**
 * Keeps wrong keys from loading the database. Above its address's limit, a key is looked up only if its mark matches a valid key; all marks
 * are read at most every two seconds. Valid keys from that address keep working, and revoked ones stay rejected.
 */
export class WrongKeys {
  private readonly windows = new Map<string, Window>();
  private marks: { read: Promise<KeyHashPrefixes>; at: number } | null = null;

  constructor(
    private readonly db: Db,
    private readonly maxAddresses: number = MAX_ADDRESSES,
  ) {}

  /** Returns false if the key is certainly wrong. Throws if the database is down. */
  async mayBeValid(key: string, address: string, now: number): Promise<boolean> {
    const window = this.windows.get(address);
    if (window === undefined || window.endsAt <= now || window.failures < MAX_WRONG_KEYS) return true;
    return (await this.validMarks(now)).has(key);
  }

  /** Counts a wrong key. The first wrong key starts a window. */
  count(address: string, now: number): void {
    const known = this.windows.get(address);
    const window =
      known === undefined || known.endsAt <= now ? { failures: 0, endsAt: now + WINDOW_MS } : known;
    window.failures += 1;
    // Re-insert it at the end, so that the map's first entry is the least recently used.
    this.windows.delete(address);
    this.windows.set(address, window);
    if (this.windows.size <= this.maxAddresses) return;
    for (const oldest of this.windows.keys()) {
      this.windows.delete(oldest);
      return;
    }
  }

  private validMarks(now: number): Promise<KeyHashPrefixes> {
    if (this.marks !== null && Math.abs(now - this.marks.at) < MARKS_LAST_MS) return this.marks.read;
    const marks = { read: validKeyHashPrefixes(this.db, now), at: now };
    this.marks = marks;
    marks.read.catch(() => {
      if (this.marks === marks) this.marks = null;
    });
    return marks.read;
  }
}
