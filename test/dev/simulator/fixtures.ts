import type { CallRequest } from '../../../dev/simulator/protocol';
import type { Clock } from '../../../dev/simulator/clock';
import type { LogEntry, SimulatorLog } from '../../../dev/simulator/log';

export const AGENT = {
  name: 'Asha',
  greeting: 'Hello {{name}}, this is Asha from Acme.',
  prompt: 'Ask whether they received the parcel. Offer a call with an adviser. Never mention prices.',
};

/** Returns a number with these last two digits. */
export const numberEnding = (digits: string): string => `+9198765432${digits}`;

export function callRequest(differences: Partial<CallRequest> = {}): CallRequest {
  return {
    reference: 'outbound-1',
    to: numberEnding('00'),
    from: null,
    not_after: '2999-01-01T00:00:00.000Z',
    ring_timeout_s: 30,
    max_talk_s: 600,
    amd: false,
    events_url: 'http://127.0.0.1:9/events',
    agent: AGENT,
    variables: { name: 'Ravi' },
    ...differences,
  };
}

/** Clock that runs due timers in order of time when a test advances it. */
export class ManualClock implements Clock {
  private now = Date.parse('2026-11-20T10:00:00.000Z');
  private timers: { atMs: number; run: () => void }[] = [];

  nowMs(): number {
    return this.now;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { atMs: this.now + delayMs, run };
    this.timers.push(timer);
    return () => this.timers.splice(this.timers.indexOf(timer), this.timers.includes(timer) ? 1 : 0);
  }

  advance(ms: number): void {
    const untilMs = this.now + ms;
    for (;;) {
      const due = this.timers.filter((timer) => timer.atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
      if (due === undefined) break;
      this.timers.splice(this.timers.indexOf(due), 1);
      this.now = Math.max(this.now, due.atMs);
      due.run();
    }
    this.now = untilMs;
  }

  /** Advances time without running timers, as while a process is down. */
  skip(ms: number): void {
    this.timers = [];
    this.now += ms;
  }
}

export class MemoryLog implements SimulatorLog {
  readonly entries: LogEntry[] = [];

  write(...entries: LogEntry[]): void {
    this.entries.push(...entries);
  }

  close(): void {}

  of<K extends LogEntry['kind']>(kind: K): Extract<LogEntry, { kind: K }>[] {
    return this.entries.filter((entry): entry is Extract<LogEntry, { kind: K }> => entry.kind === kind);
  }
}
