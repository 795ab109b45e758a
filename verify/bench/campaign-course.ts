/** Reads the course of a campaign from the carrier's log. */
import type { LogEntry } from '../../dev/simulator/log';
import { listScheduleMs } from './list-schedule';

export interface CampaignCourse {
  /** Time of each call request, ascending. */
  requestedAtMs: number[];
  /** Time of the first request, by call reference. */
  requests: ReadonlyMap<string, number>;
  /** Time of each call's end, ascending. */
  endedAtMs: number[];
  /** From the acceptance of each call to its end, in order of acceptance. */
  durationsMs: number[];
}

/** Reads the entries of calls with these references and ignores all others. */
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
 * Returns the idle time of each line between two calls. Each of the first requests fills a line. After that, the kth end frees the line
 * that the (lines + k)th request takes, and the last ends free lines that no contact needs.
 */
export function idleLineMs({ requestedAtMs, endedAtMs }: CampaignCourse, lines: number): number[] {
  return requestedAtMs.slice(lines).map((atMs, k) => atMs - (endedAtMs[k] ?? NaN));
}

export function makespanMs({ requestedAtMs, endedAtMs }: CampaignCourse): number {
  return (endedAtMs.at(-1) ?? NaN) - (requestedAtMs[0] ?? NaN);
}

export function idealMakespanMs({ durationsMs }: CampaignCourse, lines: number): number {
  return listScheduleMs(durationsMs, lines);
}

/** Returns the time at which the carrier accepted the call, or NaN. */
export function placedAtMs(entries: readonly LogEntry[], callId: string): number {
  const placed = entries.find((entry) => entry.kind === 'placed' && entry.reference === callId);
  return placed === undefined ? NaN : Date.parse(placed.at);
}
