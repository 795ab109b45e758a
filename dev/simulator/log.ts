/** The append-only log: what tests, the demo's report and a restart of the simulator judge by. */
import { closeSync, fstatSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { readJsonLines } from '../json-lines';
import type { AnsweredBy, CallState, EndReason, EventType, InboundRoute } from './protocol';
import type { Step } from './plan';

/** One HTTP request taken. `at` is when it was taken up, `status` null where the connection was cut on purpose. */
export interface RequestEntry {
  kind: 'request';
  at: string;
  method: string;
  path: string;
  status: number | null;
  /** Where the body or the query names them. */
  reference?: string;
  to?: string;
  /** `POST /calls` only. */
  not_after?: string;
  /** The call placed, hung up. */
  carrier_id?: string;
}

/** A call exists from here on; the steps are its whole course as planned. */
export interface PlacedEntry {
  kind: 'placed';
  at: string;
  direction: 'outbound' | 'inbound';
  carrier_id: string;
  /** Null for an inbound call, which gets it in its `answered` state line. */
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

/** One attempt to send one event, written once its answer or failure is known; `at` is when it was sent. */
export interface EventEntry {
  kind: 'event';
  at: string;
  event_id: string;
  carrier_id: string;
  reference: string | null;
  type: EventType;
  /** 0, or 1 for the second copy of a number whose events come twice. */
  copy: number;
  /** From 1. */
  attempt: number;
  /** Null where no answer came. */
  status: number | null;
  duration_ms: number;
}

/** An inbound route set (or removed: null). */
export interface RouteEntry {
  kind: 'route';
  at: string;
  number: string;
  route: InboundRoute | null;
}

export type LogEntry = RequestEntry | PlacedEntry | StateEntry | EventEntry | RouteEntry;

export interface SimulatorLog {
  /** On disk, as far as a kill of the process is concerned, when it returns. */
  write(...entries: LogEntry[]): void;
  close(): void;
}

export function openSimulatorLog(path: string): SimulatorLog {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'a+');
  if (!endsWithNewline(file)) writeSync(file, '\n');
  return {
    // One system call per step of a call: 10 to 20 µs, and nothing that was answered is lost by kill -9.
    write(...entries) {
      writeSync(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    },
    close: () => closeSync(file),
  };
}

/** A line torn by a killed process must not swallow the next one. */
function endsWithNewline(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, size - 1);
  return last[0] === 0x0a;
}

/** All entries in the order written; none where there is no file yet. A torn line is passed over. */
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
