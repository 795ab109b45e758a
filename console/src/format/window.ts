/** Converts a calling window between UTC, which the API uses, and the user's time zone. */
import { offsetMs } from '../../../domain/local-time';

const MINUTES_OF_DAY = 1440;

/** Returns the minutes since midnight for `04:00` or `04:00:00Z`, or null for any other text. */
export function minuteOf(time: string): number | null {
  const match = /^([01]\d|2[0-3]):([0-5]\d)(:[0-5]\d)?Z?$/.exec(time);
  return match === null ? null : Number(match[1]) * 60 + Number(match[2]);
}

export const timeOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** Returns how many minutes the zone is ahead of UTC at the given time. */
export const offsetOf = (zone: string, at: Date): number => Math.round(offsetMs(at.getTime(), zone) / 60_000);

export interface LocalTime {
  time: string;
  /** Local day minus UTC day: -1, 0 or 1. */
  dayShift: number;
}

/** Converts a UTC time of day to the zone. Needs the date because of daylight saving time. */
export function utcToZone(time: string, zone: string, on: Date): LocalTime | null {
  const minute = minuteOf(time);
  return minute === null ? null : shifted(minute + offsetOf(zone, on));
}

export function zoneToUtc(time: string, zone: string, on: Date): LocalTime | null {
  const minute = minuteOf(time);
  return minute === null ? null : shifted(minute - offsetOf(zone, on));
}

function shifted(minute: number): LocalTime {
  const dayShift = Math.floor(minute / MINUTES_OF_DAY);
  return { time: timeOf(minute - dayShift * MINUTES_OF_DAY), dayShift };
}

/** For example `04:00–10:30 UTC, 09:30–16:00 Asia/Kolkata`. */
export function windowOf(from: string, to: string, zone: string, on: Date): string {
  const start = utcToZone(from, zone, on);
  const end = utcToZone(to, zone, on);
  const utc = `${from.slice(0, 5)}–${to.slice(0, 5)} UTC`;
  if (start === null || end === null || zone === 'UTC') return utc;
  return `${utc}, ${start.time}${dayWord(start.dayShift)}–${end.time}${dayWord(end.dayShift)} ${zone}`;
}

/** For example `09:00–18:00 in each contact’s time zone` or `09:00–18:00 America/Denver`. */
export const localWindowOf = (from: string, to: string, zone: string): string =>
  `${from.slice(0, 5)}–${to.slice(0, 5)} ${zone === 'contact' ? 'in each contact’s time zone' : zone}`;

export const dayWord = (dayShift: number): string =>
  dayShift === 0 ? '' : dayShift > 0 ? ' (next day)' : ' (day before)';
