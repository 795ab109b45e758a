import { up, type PartHealth } from './part-health';

/** A worker that waits for tasks asks again once a minute. */
const SEEN_WITHIN_MS = 90_000;

/** The workers, by when one last asked Temporal for a task; null where none did in the minutes that Temporal remembers. */
export function workerHealth(seenAt: number | null, now: number): PartHealth {
  if (seenAt === null) return { part: 'workers', status: 'down', reason: 'not_seen', since: null };
  if (now - seenAt <= SEEN_WITHIN_MS) return up('workers');
  return { part: 'workers', status: 'degraded', reason: 'not_seen', since: seenAt };
}
