/** What happened in a run, in its order: the fingerprint by which two runs are compared, and the story of one that failed. */
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

  /** Part of the story, and of the fingerprint. */
  note(who: string, what: string): void {
    const atMs = this.scheduler.nowMs - this.startMs;
    this.lines.push({ atMs, who, what });
    this.hash.update(`${atMs} ${who} ${what}\n`);
  }

  /** Of the fingerprint only. */
  step(what: string): void {
    this.hash.update(`${this.scheduler.nowMs - this.startMs} ${what}\n`);
  }

  fingerprint(): string {
    return this.hash.copy().digest('hex').slice(0, 16);
  }
}
