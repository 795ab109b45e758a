import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Evidence } from '../evidence';
import type { ShiftedClock } from '../plan/faults';

/** Processes read their files five times a second, so a change announced this early applies to the millisecond. */
const AHEAD_MS = 500;

/** Controls the clocks of the processes through files that a preload reads. */
export class Clocks {
  private readonly changes = new Map<ShiftedClock, [fromMs: number, offsetMs: number][]>();

  constructor(
    private readonly folder: string,
    private readonly preload: string,
    private readonly evidence: Evidence,
  ) {
    mkdirSync(folder, { recursive: true });
  }

  /** Environment that gives a process this clock. */
  environment(clock: ShiftedClock): Record<string, string> {
    return { NODE_OPTIONS: `--require ${this.preload}`, FAULTS_CLOCK_FILE: this.file(clock) };
  }

  /** Sets the offset at the start of the processes. */
  begin(clock: ShiftedClock, offsetMs: number): void {
    this.change(clock, Date.now() - 1, offsetMs);
  }

  /** Returns the time from which the offset applies, half a second ahead. */
  shift(clock: ShiftedClock, offsetMs: number): number {
    const fromMs = Date.now() + AHEAD_MS;
    this.change(clock, fromMs, offsetMs);
    return fromMs;
  }

  private change(clock: ShiftedClock, fromMs: number, offsetMs: number): void {
    const changes = [...(this.changes.get(clock) ?? []), [fromMs, offsetMs] as [number, number]];
    this.changes.set(clock, changes);
    const file = this.file(clock);
    writeFileSync(`${file}.new`, JSON.stringify(changes));
    renameSync(`${file}.new`, file);
    this.evidence.clock({ at: new Date(fromMs).toISOString(), process: clock, offset_ms: offsetMs });
  }

  private file(clock: ShiftedClock): string {
    return join(this.folder, `${clock}.json`);
  }
}
