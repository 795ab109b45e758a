import type { Db } from './connection';
import { onlyRow } from './query';

const READ_EVERY_MS = 1_000;

/**
 * Postgres' clock, which all processes use because they compare each other's timestamps. Between two readings it follows the monotonic
 * clock, and before the first reading the machine's clock.
 */
export class SharedClock {
  /** Postgres' clock minus our monotonic clock. */
  private offsetMs = Date.now() - performance.now();
  private wasUnreachable = false;
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;

  /** `onReturn` is called when Postgres answers again after an outage. */
  constructor(
    private readonly db: Db,
    private readonly onReturn: () => void = () => undefined,
  ) {}

  /** Milliseconds since the epoch. */
  readonly now = (): number => Math.round(performance.now() + this.offsetMs);

  /** Reads the clock now and every second. Resolves after the first attempt, even if it fails. */
  async start(): Promise<void> {
    await this.read();
    if (this.stopped) return;
    this.timer = setTimeout(() => void this.start(), READ_EVERY_MS);
    this.timer.unref();
  }

  stop(): void {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
  }

  private async read(): Promise<void> {
    const sentAt = performance.now();
    try {
      const { now } = await onlyRow<{ now: number }>(
        this.db,
        'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now',
      );
      // Postgres read its clock between sending and now. A slow reading changes the offset only if it contradicts the old offset.
      this.offsetMs = Math.min(Math.max(this.offsetMs, now - performance.now()), now - sentAt);
      if (this.wasUnreachable) this.onReturn();
      this.wasUnreachable = false;
    } catch {
      // Keep the last offset. Anything that needs the database fails anyway.
      this.wasUnreachable = true;
    }
  }
}
