/** Records what happens in a run: a fingerprint to compare two runs, and the story of a failed one. */
import { createHash } from 'node:crypto';
import type { Scheduler } from './time/scheduler';

export interface TraceLine {
  atMs: number;
  who: string;
  what: string;
}

export class Trace {
  readonly lines: TraceLine[] = [];
  private readonly hash = createHash('sha256');

  constructor(
    private readonly scheduler: Scheduler,
    private readonly startMs: number,
  ) {}

  /** Adds an entry to the story and the fingerprint. */
  note(who: string, what: string): void {
    const atMs = this.scheduler.nowMs - this.startMs;
    this.lines.push({ atMs, who, what });
    this.hash.update(`${atMs} ${who} ${what}\n`);
  }

  /** Adds an entry only to the fingerprint. */
  step(what: string): void {
    this.hash.update(`${this.scheduler.nowMs - this.startMs} ${what}\n`);
  }

  fingerprint(): string {
    return this.hash.copy().digest('hex').slice(0, 16);
  }
}
