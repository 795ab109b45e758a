/** What became of a campaign, as the carrier's own log shows it. */
import type { LogEntry } from '../../dev/simulator/log';
import { listScheduleMs } from './list-schedule';

export interface CampaignCourse {
  /** When each request for a call was taken, ascending. */
  requestedAtMs: number[];
  /** The same by the call's reference; the first request where there were several. */
  requests: ReadonlyMap<string, number>;
  /** When each call ended, ascending. */
  endedAtMs: number[];
  /** From the acceptance of each call to its end, in the order of acceptance. */
  durationsMs: number[];
}

/** Reads what concerns the calls with these references; the rest of the log is another campaign's. */
export function courseOf(
  entries: readonly LogEntry[],
  isOurs: (reference: string) => boolean,
): CampaignCourse {
  const requestedAtMs: number[] = [];
  const requests = new Map<string, number>();
  const endedAtMs: number[] = [];
  const placed = new Map<string, { atMs: number; durationMs: number }>();
  for (const entry of entries) {
    if (!('reference' in entry) || entry.reference == null || !isOurs(entry.reference)) continue;
    const atMs = Date.parse(entry.at);
    if (entry.kind === 'request' && entry.method === 'POST' && entry.path === '/calls') {
      requestedAtMs.push(atMs);
      if (!requests.has(entry.reference)) requests.set(entry.reference, atMs);
    } else if (entry.kind === 'placed') {
      placed.set(entry.carrier_id, { atMs, durationMs: NaN });
    } else if (entry.kind === 'state' && entry.state === 'ended') {
      endedAtMs.push(atMs);
      const call = placed.get(entry.carrier_id);
      if (call !== undefined) call.durationMs = atMs - call.atMs;
    }
  }
  const ascending = (a: number, b: number) => a - b;
  return {
    requestedAtMs: requestedAtMs.sort(ascending),
    requests,
    endedAtMs: endedAtMs.sort(ascending),
    durationsMs: [...placed.values()].map(({ durationMs }) => durationMs),
  };
}

/**
 * How long each line lay idle between two calls. The first requests, one for each line, fill the lines; from then on the
 * kth end frees the line that the (lines + k)th request takes. The last ends free lines that nobody is left for.
 */
export function idleLineMs({ requestedAtMs, endedAtMs }: CampaignCourse, lines: number): number[] {
  return requestedAtMs.slice(lines).map((atMs, k) => atMs - (endedAtMs[k] ?? NaN));
}

/** From the first request to the last end. */
export function makespanMs({ requestedAtMs, endedAtMs }: CampaignCourse): number {
  return (endedAtMs.at(-1) ?? NaN) - (requestedAtMs[0] ?? NaN);
}

export function idealMakespanMs({ durationsMs }: CampaignCourse, lines: number): number {
  return listScheduleMs(durationsMs, lines);
}

/** When the carrier took the call; NaN where it did not. */
export function placedAtMs(entries: readonly LogEntry[], callId: string): number {
  const placed = entries.find((entry) => entry.kind === 'placed' && entry.reference === callId);
  return placed === undefined ? NaN : Date.parse(placed.at);
}
