import type { ZoneOfContacts } from '../../../sdk/typescript/generated';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Position on the axis of a day, in percent. */
export interface Span {
  left: number;
  width: number;
}

/** Returns the hour in which the day of the drawing starts. */
export const startOfDrawing = (from: string): number => Math.floor(Date.parse(from) / HOUR_MS) * HOUR_MS;

/** Returns the times below the axis, for example `06:00`. */
export const ticksFrom = (start: number): string[] =>
  [0, 6, 12, 18, 24].map((hours) => new Date(start + hours * HOUR_MS).toISOString().slice(11, 16));

export const placeOf = (at: string, start: number): number =>
  Math.min(100, Math.max(0, ((Date.parse(at) - start) / DAY_MS) * 100));

/** Returns the open part of the day, or null if the window opens later or never. */
export function openSpan({ opens_at: opens, closes_at: closes }: ZoneOfContacts, start: number): Span | null {
  if (opens === null || closes === null) return null;
  const left = placeOf(opens, start);
  const width = placeOf(closes, start) - left;
  return width === 0 ? null : { left, width };
}
