import type { Counters } from './counters';
import { progressKey, type Progress } from './event-sender';
import type { LogEntry, PlacedEntry, StateEntry } from './log';
import { assertNever, type CallState, type InboundRoute } from './protocol';

export interface CallHistory {
  placed: PlacedEntry;
  states: Map<CallState, StateEntry>;
  ended: StateEntry | null;
}

export interface History {
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
          counters.postRefused(entry.to);
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
