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
