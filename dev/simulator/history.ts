import { progressKey, type Progress } from './events';
import type { LogEntry, PlacedEntry, StateEntry } from './log';
import { assertNever, type CallState, type InboundRoute } from './protocol';

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
  private readonly rejectedOnce = new Set<string>();

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
  postRejected(number: string): void {
    this.rejectedOnce.add(number);
  }

  wasRejected(number: string): boolean {
    return this.rejectedOnce.has(number);
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

export interface CallHistory {
  placed: PlacedEntry;
  states: Map<CallState, StateEntry>;
  ended: StateEntry | null;
}

interface History {
  calls: CallHistory[];
  /** Keyed by event and copy. */
  deliveries: Map<string, Progress>;
  routes: Map<string, InboundRoute>;
}

/** Replays the log of an earlier process and adds its calls to `counters`. */
export function replayLog(entries: readonly LogEntry[], counters: Counters): History {
  const calls = new Map<string, CallHistory>();
  const deliveries = new Map<string, Progress>();
  const routes = new Map<string, InboundRoute>();
  for (const entry of entries) {
    switch (entry.kind) {
      case 'request':
        if (entry.method === 'POST' && entry.to !== undefined && isRefusal(entry.status)) {
          counters.postRejected(entry.to);
        }
        break;
      case 'placed':
        calls.set(entry.carrier_id, { placed: entry, states: new Map(), ended: null });
        if (entry.direction === 'outbound') counters.callPlaced(entry.reference, entry.to);
        break;
      case 'state':
        replayState(calls.get(entry.carrier_id), entry, counters);
        break;
      case 'event':
        deliveries.set(progressKey(entry.event_id, entry.copy), {
          attempts: entry.attempt,
          accepted: entry.status !== null && entry.status >= 200 && entry.status < 300,
        });
        break;
      case 'route':
        if (entry.route === null) routes.delete(entry.number);
        else routes.set(entry.number, entry.route);
        break;
      default:
        assertNever(entry);
    }
  }
  return { calls: [...calls.values()], deliveries, routes };
}

const isRefusal = (status: number | null): boolean => status === 503 || status === 429;

function replayState(call: CallHistory | undefined, entry: StateEntry, counters: Counters): void {
  if (call === undefined) return;
  call.states.set(entry.state, entry);
  if (entry.state !== 'ended') return;
  call.ended = entry;
  if (call.placed.direction === 'outbound') counters.callEnded();
}
