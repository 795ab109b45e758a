import { up, type PartHealth } from './part-health';

/** An idle worker polls once a minute. */
const SEEN_WITHIN_MS = 90_000;

/** Judges the workers by their last poll for a task; null if Temporal remembers none. */
export function workerHealth(seenAt: number | null, now: number): PartHealth {
  if (seenAt === null) return { part: 'workers', status: 'down', reason: 'not_seen', since: null };
  if (now - seenAt <= SEEN_WITHIN_MS) return up('workers');
  return { part: 'workers', status: 'degraded', reason: 'not_seen', since: seenAt };
}
