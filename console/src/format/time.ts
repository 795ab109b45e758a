/** Times for people: in the zone of the browser, and in UTC where a setting is in UTC. */

/** Chromium still has the old name of the zone that most readers live in. */
export const zoneOfBrowser = (): string =>
  Intl.DateTimeFormat().resolvedOptions().timeZone.replace('Asia/Calcutta', 'Asia/Kolkata');

/** Such as `23 Nov, 14:05`; with the year where it is another than that of `now`. */
export function instantOf(iso: string | null | undefined, now: Date = new Date(), zone?: string): string {
  if (iso === null || iso === undefined) return '–';
  const date = new Date(iso);
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    ...(date.getUTCFullYear() === now.getUTCFullYear() ? {} : { year: 'numeric' }),
    ...(zone === undefined ? {} : { timeZone: zone }),
  }).format(date);
}

/** Such as `23 Nov, 04:30 UTC (10:00 Asia/Kolkata)`; with the day of the zone where it is another. */
export function instantInBothZones(iso: string, zone = zoneOfBrowser(), now = new Date()): string {
  const utc = instantOf(iso, now, 'UTC');
  if (zone === 'UTC') return `${utc} UTC`;
  const local = instantOf(iso, now, zone);
  const day = (instant: string): string => instant.slice(0, instant.lastIndexOf(','));
  return `${utc} UTC (${day(local) === day(utc) ? local.slice(-5) : local} ${zone})`;
}

/** A sentence of the service, whose instants are in UTC, with those of the zone beside them. */
export const inBothZones = (sentence: string, zone = zoneOfBrowser(), now = new Date()): string =>
  sentence.replace(/(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}) UTC/g, (_instant, day: string, time: string) =>
    instantInBothZones(`${day}T${time}:00Z`, zone, now),
  );

/** With the second, for what follows closely. */
export function clockOf(iso: string, zone?: string): string {
  const timeZone = zone === undefined ? {} : { timeZone: zone };
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', ...timeZone }).format(new Date(iso));
}

/** Such as `23 Nov 2026`, of a day as the API writes it. */
export function dayOf(day: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${day.slice(0, 10)}T00:00:00Z`),
  );
}

/** Minutes and seconds, such as `1:05`. */
export function durationOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${String(seconds % 60).padStart(2, '0')}`;
}
