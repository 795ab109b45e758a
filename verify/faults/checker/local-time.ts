/** Local times of instants, from Node's time zones alone. */

/** Zones change their offset only at full quarters of an hour of UTC. */
const QUARTER_MS = 900_000;
const offsets = new Map<string, number>();

/** Returns how far the zone is ahead of UTC. */
function offsetMs(zone: string, atMs: number): number {
  const quarterMs = Math.floor(atMs / QUARTER_MS) * QUARTER_MS;
  const key = `${quarterMs} ${zone}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  // Swedish dates are written like `2026-11-01 01:30:00`.
  const written = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(quarterMs);
  const offset = Date.parse(`${written.replace(' ', 'T')}Z`) - quarterMs;
  offsets.set(key, offset);
  return offset;
}

/** Writes the wall clock of a zone like `2026-11-01T01:30:00.000Z`, whose `Z` means nothing. */
export const localText = (zone: string, atMs: number): string =>
  new Date(atMs + offsetMs(zone, atMs)).toISOString();
