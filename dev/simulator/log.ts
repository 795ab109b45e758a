/** The append-only log. Tests and the demo's report take their results from it, and a restarted simulator resumes from it. */
import { closeSync, fstatSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { readJsonLines } from '../json-lines';
import type { AnsweredBy, CallState, EndReason, EventType, InboundRoute } from './protocol';
import type { Step } from './plan';

/** An HTTP request. `at` is when handling began. `status` is null if the simulator cut the connection on purpose. */
export interface RequestEntry {
  kind: 'request';
  at: string;
  method: string;
  path: string;
  status: number | null;
  /** Present if the body or the query contains them. */
  reference?: string;
  to?: string;
  /** `POST /calls` only. */
  not_after?: string;
  /** The call that was placed or hung up. */
  carrier_id?: string;
}

/** From this entry on, the call exists. `steps` is its planned course. */
export interface PlacedEntry {
  kind: 'placed';
  at: string;
  direction: 'outbound' | 'inbound';
  carrier_id: string;
  /** Null for an inbound call, whose reference is in its `answered` state entry. */
  reference: string | null;
  to: string;
  from: string | null;
  events_url: string;
  steps: Step[];
}

export interface StateEntry {
  kind: 'state';
  at: string;
  carrier_id: string;
  reference: string | null;
  to: string;
  state: CallState;
  end_reason: EndReason | null;
  sip_status: number | null;
  answered_by: AnsweredBy | null;
}

/** An attempt to send an event, written once its response or failure is known. `at` is when it was sent. */
export interface EventEntry {
  kind: 'event';
  at: string;
  event_id: string;
  carrier_id: string;
  reference: string | null;
  type: EventType;
  /** 0, or 1 for the second copy if the number's events are sent twice. */
  copy: number;
  /** Starts at 1. */
  attempt: number;
  /** Null if there was no response. */
  status: number | null;
  duration_ms: number;
}

/** An inbound route that was set, or removed if `route` is null. */
interface RouteEntry {
  kind: 'route';
  at: string;
  number: string;
  route: InboundRoute | null;
}

export type LogEntry = RequestEntry | PlacedEntry | StateEntry | EventEntry | RouteEntry;

export interface SimulatorLog {
  /** Writes synchronously, so entries survive a kill of the process. */
  write(...entries: LogEntry[]): void;
  close(): void;
}

export function openSimulatorLog(path: string): SimulatorLog {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'a+');
  if (!endsWithNewline(file)) writeSync(file, '\n');
  return {
    // A synchronous write takes 10 to 20 µs per step of a call and guarantees that kill -9 loses nothing that was acknowledged.
    write(...entries) {
      writeSync(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    },
    close: () => closeSync(file),
  };
}

/** Returns false if a killed process left the last line incomplete, because the next entry must then start on a new line. */
function endsWithNewline(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, size - 1);
  return last[0] === 0x0a;
}

/** Returns all entries in the order they were written; none if the file doesn't exist. Skips an incomplete line. */
export function readSimulatorLog(path: string): LogEntry[] {
  return readJsonLines(path, isLogEntry);
}

const KINDS: ReadonlySet<unknown> = new Set<LogEntry['kind']>([
  'request',
  'placed',
  'state',
  'event',
  'route',
]);

function isLogEntry(value: unknown): value is LogEntry {
  return typeof value === 'object' && value !== null && 'kind' in value && KINDS.has(value.kind);
}
