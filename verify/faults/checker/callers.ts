/** Reads inbound calls from the carrier's log alone. */
import type { CarrierLine } from './evidence';
import type { Line } from './json-lines';

export interface Caller {
  from: string;
  rangMs: number;
  answered: boolean;
  /** Null if the log doesn't contain the end of the call. */
  endedMs: number | null;
  endReason: string | null;
  line: number;
}

export function callersOf(lines: readonly Line<CarrierLine>[], timesMs: readonly number[]): Caller[] {
  const callers = new Map<string, Caller>();
  lines.forEach((line, order) => {
    const atMs = timesMs[order] ?? NaN;
    const carrierId = line.carrier_id ?? '';
    if (line.kind === 'placed' && line.direction === 'inbound') {
      const from = line.from ?? '';
      const rings = { answered: false, endedMs: null, endReason: null };
      callers.set(carrierId, { from, rangMs: atMs, ...rings, line: line.line });
    }
    const caller = callers.get(carrierId);
    if (caller === undefined || line.kind !== 'state') return;
    if (line.state === 'answered') caller.answered = true;
    if (line.state !== 'ended' || caller.endedMs !== null) return;
    Object.assign(caller, { endedMs: atMs, endReason: line.end_reason ?? null });
  });
  return [...callers.values()];
}
