import type { Db } from './connection';
import { onlyRow } from './query';

const READ_EVERY_MS = 1_000;

/**
 * The clock of Postgres, which all processes share: what one writes as an instant another compares with its own. The machine's clock does
 * not come into it, but until Postgres was read for the first time; between two readings time goes on by the monotonic clock.
 */
export class SharedClock {
  /** Postgres' clock minus our monotonic one. */
  private offsetMs = Date.now() - performance.now();
  private wasAway = false;
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;

  /** `onReturn`: Postgres answers again after it did not. */
  constructor(
    private readonly db: Db,
    private readonly onReturn: () => void = () => undefined,
  ) {}

  /** Milliseconds since the epoch. */
  readonly now = (): number => Math.round(performance.now() + this.offsetMs);

  /** Reads it now and from then on; resolves after the first reading, whether it came to one or not. */
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
      // It was read somewhere between the two; a reading that took long moves nothing that it does not contradict.
      this.offsetMs = Math.min(Math.max(this.offsetMs, now - performance.now()), now - sentAt);
      if (this.wasAway) this.onReturn();
      this.wasAway = false;
    } catch {
      // A caller that needs the database fails by itself; we go on by what we know.
      this.wasAway = true;
    }
  }
}
