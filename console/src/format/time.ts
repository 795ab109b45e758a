/** Formats times in the browser's time zone. Settings that the platform stores in UTC are shown in UTC too. */

/** Returns the browser's time zone. Chromium reports India's zone under its old name. */
export const zoneOfBrowser = (): string =>
  Intl.DateTimeFormat().resolvedOptions().timeZone.replace('Asia/Calcutta', 'Asia/Kolkata');

/** For example `23 Nov, 14:05`. Adds the year if it isn't the current one. */
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

/** For example `23 Nov, 04:30 UTC (10:00 Asia/Kolkata)`. Adds the local day if it differs. */
export function instantInBothZones(iso: string, zone = zoneOfBrowser(), now = new Date()): string {
  const utc = instantOf(iso, now, 'UTC');
  if (zone === 'UTC') return `${utc} UTC`;
  const local = instantOf(iso, now, zone);
  const day = (instant: string): string => instant.slice(0, instant.lastIndexOf(','));
  return `${utc} UTC (${day(local) === day(utc) ? local.slice(-5) : local} ${zone})`;
}

/** Adds the local time after each UTC time in a sentence from the API. */
export const inBothZones = (sentence: string, zone = zoneOfBrowser(), now = new Date()): string =>
  sentence.replace(/(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}) UTC/g, (_instant, day: string, time: string) =>
    instantInBothZones(`${day}T${time}:00Z`, zone, now),
  );

/** Time of day with seconds. */
export function clockOf(iso: string, zone?: string): string {
  const timeZone = zone === undefined ? {} : { timeZone: zone };
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', ...timeZone }).format(new Date(iso));
}

/** Formats a day from the API, for example `23 Nov 2026`. */
export function dayOf(day: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${day.slice(0, 10)}T00:00:00Z`),
  );
}

/** Minutes and seconds, for example `1:05`. */
export function durationOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Returns the next day, because the API's `to` is exclusive. */
export function dayAfter(day: string): string {
  const next = new Date(`${day}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 10);
}
