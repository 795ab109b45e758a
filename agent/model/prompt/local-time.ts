/** The caller's clock in the prompt. */
export { instantOf, timeZoneOf } from '../../../domain/local-time';

/** Formats like `Sunday, 22 November 2026, 10:35 (Asia/Kolkata)`. */
export function localNow(now: Date, timeZone: string): string {
  const text = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(now);
  return `${text.replace(' at ', ', ')} (${timeZone})`;
}
