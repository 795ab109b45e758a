/** Prints the replay of open workflows: progress, each workflow that breaks as soon as it is found, and the counts at the end. */
import type { Replayed } from './replayed';

export interface Streams {
  out: NodeJS.WritableStream;
  /** Shows progress: one redrawn line on a terminal, or an occasional line elsewhere. */
  err: NodeJS.WritableStream & { isTTY?: boolean };
}

const REDRAWN_EVERY_MS = 200;
const PRINTED_EVERY_MS = 15_000;

interface Counts {
  replay: number;
  wouldBreak: number;
}

export class ReplayReport {
  private readonly types = new Map<string, Counts>();
  private readonly startedAt = performance.now();
  private progressAt = this.startedAt;

  constructor(
    private readonly streams: Streams,
    /** Number of workflows at the start. Workflows may start and end during the replay. */
    private readonly expected: number,
  ) {}

  /** Number of workflows found so far that would break. */
  get broken(): number {
    return this.sumOf('wouldBreak');
  }

  add({ workflowId, type, fault }: Replayed): void {
    const counts = this.types.get(type) ?? { replay: 0, wouldBreak: 0 };
    this.types.set(type, counts);
    counts[fault === null ? 'replay' : 'wouldBreak']++;
    if (fault !== null) this.print(`${workflowId} (${type}) would break: ${fault}`);
    this.showProgress();
  }

  end(): void {
    for (const [type, { replay, wouldBreak }] of [...this.types].sort(([one], [other]) =>
      one.localeCompare(other),
    )) {
      this.print(`${type}: ${replay} replay, ${wouldBreak} would break`);
    }
    const all = this.broken + this.sumOf('replay');
    if (all === 0) this.print('No workflow is open.');
    else this.print(this.broken === 0 ? `All ${all} replay.` : `${this.broken} of ${all} would break.`);
  }

  private sumOf(what: keyof Counts): number {
    return [...this.types.values()].reduce((sum, counts) => sum + counts[what], 0);
  }

  private print(line: string): void {
    if (this.streams.err.isTTY === true) this.streams.err.write('\r\x1b[K');
    this.streams.out.write(`${line}\n`);
  }

  private showProgress(): void {
    const { err } = this.streams;
    const isTerminal = err.isTTY === true;
    const now = performance.now();
    if (now - this.progressAt < (isTerminal ? REDRAWN_EVERY_MS : PRINTED_EVERY_MS)) return;
    this.progressAt = now;
    const seconds = Math.round((now - this.startedAt) / 1000);
    const line = `replayed ${this.broken + this.sumOf('replay')} of about ${this.expected} … ${seconds} s`;
    err.write(isTerminal ? `\r\x1b[K${line}` : `${line}\n`);
  }
}
