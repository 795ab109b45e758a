import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Evidence } from '../evidence';
import type { ShiftedClock } from '../plan/faults';

/** Processes read their clock files five times a second. A change written this far ahead therefore applies at an exact millisecond. */
const AHEAD_MS = 500;

/** Controls the processes' clocks through files that a preloaded module reads. */
export class Clocks {
  private readonly changes = new Map<ShiftedClock, [fromMs: number, offsetMs: number][]>();

  constructor(
    private readonly folder: string,
    private readonly preload: string,
    private readonly evidence: Evidence,
  ) {
    mkdirSync(folder, { recursive: true });
  }

  /** Returns environment variables that give a process this clock. */
  environment(clock: ShiftedClock): Record<string, string> {
    return { NODE_OPTIONS: `--require ${this.preload}`, FAULTS_CLOCK_FILE: this.file(clock) };
  }

  /** Sets the offset before the processes start. */
  begin(clock: ShiftedClock, offsetMs: number): void {
    this.change(clock, Date.now() - 1, offsetMs);
  }

  /** Returns the time from which the new offset applies, which is half a second ahead. */
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
