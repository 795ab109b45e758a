/** The response of `/stats`. A duplicate is a call placed under a reference that had already been used. */
export interface Stats {
  placed: number;
  distinct_references: number;
  duplicate_references: number;
  live: number;
  peak_live: number;
}

/** Counts outbound calls, in total and per number. After a restart, the simulator replays its log into the counters. */
export class Counters {
  private placed = 0;
  private live = 0;
  private peakLive = 0;
  private readonly references = new Set<string>();
  private readonly callsByNumber = new Map<string, number>();
  private readonly refusedOnce = new Set<string>();

  callPlaced(reference: string | null, to: string): void {
    this.placed += 1;
    this.live += 1;
    this.peakLive = Math.max(this.peakLive, this.live);
    if (reference !== null) this.references.add(reference);
    this.callsByNumber.set(to, this.callsTo(to) + 1);
  }

  callEnded(): void {
    this.live -= 1;
  }

  callsTo(number: string): number {
    return this.callsByNumber.get(number) ?? 0;
  }

  /** The simulator rejected the first POST for the number with 503 or 429. */
  postRefused(number: string): void {
    this.refusedOnce.add(number);
  }

  wasRefused(number: string): boolean {
    return this.refusedOnce.has(number);
  }

  stats(): Stats {
    return {
      placed: this.placed,
      distinct_references: this.references.size,
      duplicate_references: this.placed - this.references.size,
      live: this.live,
      peak_live: this.peakLive,
    };
  }
}
